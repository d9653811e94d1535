// SPDX-License-Identifier: Apache-2.0
internal import LiveCore
internal import NIOSSL
internal import WebSocketProtocol

/// The behaviour of one side of a WebSocket, client or server.
public struct WebSocketConfiguration: Sendable {
  /// The largest accepted message, in bytes after inflation: a larger one closes the connection with 1009.
  public var maximumMessageBytes = 1 << 20
  /// The longest head of an opening handshake that is read, in bytes.
  public var maximumHandshakeBytes = 16 << 10
  /// The most bytes of unread messages, beyond which the socket is not read. There can be one message more, of any
  /// size.
  public var inboundBufferBytes = 256 << 10
  /// The time limit of the opening handshake, from the first packet to the answer: name, TCP, TLS and HTTP.
  public var handshakeTimeout = Duration.seconds(10)
  /// The time limit of the closing handshake, after which the socket is dropped.
  public var closeTimeout = Duration.seconds(5)
  /// True if permessage-deflate (RFC 7692) is offered, or accepted.
  public var compresses = true
  /// The subprotocols that a client offers or a server supports, the best first.
  public var subprotocols: [String] = []
  /// The silence after which a peer is pinged, and then dropped after the same time; nil never pings. A client that
  /// reconnects has its own heartbeat.
  public var keepAlive: Duration?

  // For clients only.

  /// Header fields of the client's request in addition to the handshake's own, such as `Authorization`.
  public var headers: [(name: String, value: String)] = []
  /// The authorities that may sign a server's certificate.
  public var trust = Trust.system

  /// The authorities that may sign a server's certificate.
  public enum Trust: Hashable, Sendable {
    /// The authorities that the system trusts.
    case system
    /// Only the authorities in a file in PEM form.
    case file(path: String)
  }

  /// The recommended settings.
  public init() {}
}

extension WebSocketConfiguration {
  /// Throws a `WebSocketError` for the first invalid setting.
  public func check() throws(WebSocketError) {
    try Self.bound(maximumMessageBytes, 1...(1 << 30), "maximumMessageBytes")
    try Self.bound(maximumHandshakeBytes, 256...(1 << 20), "maximumHandshakeBytes")
    try Self.bound(inboundBufferBytes, 1...(1 << 30), "inboundBufferBytes")
    try Self.bound(handshakeTimeout, .milliseconds(1)...(.seconds(3_600)), "handshakeTimeout")
    try Self.bound(closeTimeout, .milliseconds(1)...(.seconds(3_600)), "closeTimeout")
    do {
      try OpeningRequest.check(subprotocols: subprotocols)
    } catch {
      throw WebSocketError(.badConfiguration, "subprotocols: \(error).")
    }
  }

  static func bound<Value: Comparable>(
    _ value: Value, _ range: ClosedRange<Value>, _ name: String
  ) throws(WebSocketError) {
    guard range.contains(value) else {
      throw WebSocketError(
        .badConfiguration, "\(name): found \(value), expected \(range.lowerBound) to \(range.upperBound).")
    }
  }

  /// The TLS context of a client: created once and used for every connection, since reading the authorities takes tens
  /// of milliseconds.
  package func clientTLS() throws(WebSocketError) -> ClientTLS {
    var settings = TLSConfiguration.makeClientConfiguration()
    do {
      switch trust {
      case .system: break
      case .file(let path): settings.trustRoots = .certificates(try NIOSSLCertificate.fromPEMFile(path))
      }
      return ClientTLS(context: try NIOSSLContext(configuration: settings))
    } catch {
      let index = if case .file(let path) = trust { "'\(path)'" } else { "the system's trust roots" }
      throw WebSocketError(
        .badCertificate, "\(index): no certificates can be read (\(error)), expected certificates in PEM form.")
    }
  }
}

/// The TLS context of a client, shared by its connections.
package struct ClientTLS: Sendable {
  let context: NIOSSLContext
}

/// The certificate of a server and its private key.
public struct ServerCertificate: Hashable, Sendable {
  /// The file of the certificate and its chain to the authority, in PEM form.
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
