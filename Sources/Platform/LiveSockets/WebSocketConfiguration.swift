// SPDX-License-Identifier: Apache-2.0
internal import LiveCore
internal import NIOSSL
internal import WebSocketProtocol

/// How one side of a WebSocket behaves: what both roles share.
public struct WebSocketConfiguration: Sendable {
  /// The largest message that is taken, in bytes after inflation: a larger one closes the connection with 1009.
  public var maximumMessageBytes = 1 << 20
  /// The longest head of an opening handshake that is read, in bytes.
  public var maximumHandshakeBytes = 16 << 10
  /// How many bytes of messages wait for who reads them, at the most, before nothing more is read of the socket. One
  /// message more can be there, whatever its size.
  public var inboundBufferBytes = 256 << 10
  /// How long the opening handshake may take, from the first packet to the answer: name, TCP, TLS and HTTP.
  public var handshakeTimeout = Duration.seconds(10)
  /// How long the closing handshake may take before the socket is dropped.
  public var closeTimeout = Duration.seconds(5)
  /// Whether permessage-deflate (RFC 7692) is offered, or accepted.
  public var compresses = true
  /// The subprotocols that are offered, or known, the best first.
  public var subprotocols: [String] = []
  /// How long a peer may be silent before it is pinged, and then before it is dropped; nil never asks. A client that
  /// reconnects has its own heartbeat.
  public var keepAlive: Duration?

  // Of the client alone.

  /// Header fields of the client's request besides the handshake's own, such as `Authorization`.
  public var headers: [(name: String, value: String)] = []
  /// Which authorities a server's certificate may be signed by.
  public var trust = Trust.system

  /// Which authorities a server's certificate may be signed by.
  public enum Trust: Hashable, Sendable {
    /// Those that the system trusts.
    case system
    /// Those in a file in PEM form, and no others.
    case file(path: String)
  }

  /// The settings that are recommended.
  public init() {}
}

extension WebSocketConfiguration {
  /// Throws a `WebSocketError` for the first setting that nobody could follow.
  public func check() throws(WebSocketError) {
    try Self.bound(maximumMessageBytes, 1...(1 << 30), "maximumMessageBytes")
    try Self.bound(maximumHandshakeBytes, 256...(1 << 20), "maximumHandshakeBytes")
    try Self.bound(inboundBufferBytes, 1...(1 << 30), "inboundBufferBytes")
    try Self.bound(handshakeTimeout, .milliseconds(1)...(.seconds(3_600)), "handshakeTimeout")
    try Self.bound(closeTimeout, .milliseconds(1)...(.seconds(3_600)), "closeTimeout")
  }

  static func bound<Value: Comparable>(
    _ value: Value, _ range: ClosedRange<Value>, _ name: String
  ) throws(WebSocketError) {
    guard range.contains(value) else {
      throw WebSocketError(
        .badConfiguration, "\(name): found \(value), expected \(range.lowerBound) to \(range.upperBound).")
    }
  }

  /// The context of a client's secure layer: made once and used for every connection, since reading the authorities
  /// takes tens of milliseconds.
  package func clientTLS() throws(WebSocketError) -> ClientTLS {
    var settings = TLSConfiguration.makeClientConfiguration()
    do {
      switch trust {
      case .system: break
      case .file(let path): settings.trustRoots = .certificates(try NIOSSLCertificate.fromPEMFile(path))
      }
      return ClientTLS(context: try NIOSSLContext(configuration: settings))
    } catch {
      let place = if case .file(let path) = trust { "'\(path)'" } else { "the system's trust roots" }
      throw WebSocketError(
        .badCertificate, "\(place): no certificates can be read (\(error)), expected certificates in PEM form.")
    }
  }
}

/// The secure layer's part of a client, shared by its connections.
package struct ClientTLS: Sendable {
  let context: NIOSSLContext
}

/// How a server shows who it is.
public struct ServerCertificate: Hashable, Sendable {
  /// The file of the certificate and those that lead to its authority, in PEM form.
  public var certificatePath: String
  /// The file of the certificate's private key, in PEM form.
  public var keyPath: String

  /// The certificate and key in two files.
  public init(certificatePath: String, keyPath: String) {
    (self.certificatePath, self.keyPath) = (certificatePath, keyPath)
  }

  func context() throws(WebSocketError) -> NIOSSLContext {
    let chain: [NIOSSLCertificate]
    let key: NIOSSLPrivateKey
    do {
      chain = try NIOSSLCertificate.fromPEMFile(certificatePath)
    } catch {
      throw WebSocketError(unreadable: certificatePath, "certificate")
    }
    do {
      key = try NIOSSLPrivateKey(file: keyPath, format: .pem)
    } catch {
      throw WebSocketError(unreadable: keyPath, "private key")
    }
    do {
      let settings = TLSConfiguration.makeServerConfiguration(
        certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
      return try NIOSSLContext(configuration: settings)
    } catch {
      throw WebSocketError(
        .badCertificate,
        "'\(keyPath)': expected the private key that belongs to the certificate in '\(certificatePath)' (\(error)).")
    }
  }
}
