// SPDX-License-Identifier: GPL-3.0-or-later
internal import COpenSSL
internal import Foundation

/// Seals bytes with AES-256-GCM (NIST SP 800-38D) by OpenSSL: without the key nobody can read them, or change them
/// undetected.
///
/// A sealed value is a version, a nonce of 96 random bits, the ciphertext and a tag of 128 bits. It is bound to its
/// context and can be opened only with the same. With random nonces one key may seal 2^32 values.
public struct CredentialVault: Sendable {
  public static let keyBytes = 32
  static let nonceBytes = 12
  static let tagBytes = 16
  private static let version: UInt8 = 1

  private let key: [UInt8]

  /// - Parameter key: 32 random bytes; nil for any other number.
  public init?(key: [UInt8]) {
    guard key.count == Self.keyBytes else { return nil }
    self.key = key
  }

  package func seal(_ plain: [UInt8], context: [UInt8]) throws(LeagueConnectionError) -> [UInt8] {
    let nonce = try RandomBytes.take(Self.nonceBytes)
    let (cipher, tag) = try seal(plain, nonce: nonce, context: [Self.version] + context)
    return [Self.version] + nonce + cipher + tag
  }

  /// The bytes that were sealed; nil if the key or the context is another, or a bit was changed.
  package func open(_ sealed: [UInt8], context: [UInt8]) -> [UInt8]? {
    let overhead = 1 + Self.nonceBytes + Self.tagBytes
    guard sealed.first == Self.version, sealed.count >= overhead else { return nil }
    let (head, tag) = (1 + Self.nonceBytes, sealed.suffix(Self.tagBytes))
    return open(
      Array(sealed[head..<sealed.count - Self.tagBytes]), tag: Array(tag), nonce: Array(sealed[1..<head]),
      context: [Self.version] + context)
  }

  package func seal(
    _ plain: [UInt8], nonce: [UInt8], context: [UInt8]
  ) throws(LeagueConnectionError) -> (cipher: [UInt8], tag: [UInt8]) {
    var tag = [UInt8](repeating: 0, count: Self.tagBytes)
    guard let cipher = run(plain, nonce: nonce, context: context, tag: &tag, seals: true) else {
      let reason = unsafe ERR_reason_error_string(ERR_get_error()).map { unsafe String(cString: $0) }
      throw .notSealed(reason ?? "OpenSSL gives no reason")
    }
    return (cipher, tag)
  }

  package func open(_ cipher: [UInt8], tag: [UInt8], nonce: [UInt8], context: [UInt8]) -> [UInt8]? {
    var tag = tag
    return run(cipher, nonce: nonce, context: context, tag: &tag, seals: false)
  }

  /// Encrypts and makes the tag, or decrypts and compares it.
  private func run(
    _ bytes: [UInt8], nonce: [UInt8], context: [UInt8], tag: inout [UInt8], seals: Bool
  ) -> [UInt8]? {
    // OpenSSL would accept a shortened tag and read beyond a short nonce.
    guard nonce.count == Self.nonceBytes, tag.count == Self.tagBytes, let count = Int32(exactly: bytes.count),
      let contextCount = Int32(exactly: context.count), let cipher = unsafe EVP_CIPHER_CTX_new()
    else { return nil }
    defer { unsafe EVP_CIPHER_CTX_free(cipher) }
    var (written, rest) = (Int32(0), [UInt8](repeating: 0, count: Int(EVP_MAX_BLOCK_LENGTH)))
    var output = [UInt8](repeating: 0, count: bytes.count)
    let tagCount = Int32(Self.tagBytes)
    let isDone =
      unsafe EVP_CipherInit_ex(cipher, EVP_aes_256_gcm(), nil, key, nonce, seals ? 1 : 0) == 1
      && EVP_CipherUpdate(cipher, nil, &written, context, contextCount) == 1
      && EVP_CipherUpdate(cipher, &output, &written, bytes, count) == 1
      && (seals || EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_AEAD_SET_TAG, tagCount, &tag) == 1)
      && EVP_CipherFinal_ex(cipher, &rest, &written) == 1
      && (!seals || EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_AEAD_GET_TAG, tagCount, &tag) == 1)
    return isDone ? output : nil
  }
}

enum RandomBytes {
  /// Random bytes of the system's generator, for keys.
  static func take(_ count: Int) throws(LeagueConnectionError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    let taken = unsafe bytes.withUnsafeMutableBytes { unsafe getrandom($0.baseAddress, $0.count, 0) }
    guard taken == count else { throw .notSealed("getrandom gave \(taken) of \(count) bytes") }
    return bytes
  }
}
