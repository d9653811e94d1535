// SPDX-License-Identifier: Apache-2.0
public import LiveCore
internal import NIOCore
internal import NIOPosix
internal import NIOSSL
internal import WebSocketProtocol

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// An error of a WebSocket, with its place, the expectation and a way to fix it.
public struct WebSocketError: Error, Hashable, Sendable {
  /// The kinds of errors. New kinds may be added.
  public enum Code: Hashable, Sendable {
    /// The address is no `ws` or `wss` address, or cannot be found.
    case badAddress
    /// A setting is invalid.
    case badConfiguration
    /// A certificate, key or file of trust roots cannot be used.
    case badCertificate
    /// The server cannot listen at the address: it is in use, or not of this machine.
    case cannotListen
    /// The process has no file descriptors left.
    case noDescriptors
    /// A socket could not be opened.
    case connect(ConnectFailure)
    /// The server answered the handshake with this HTTP status.
    case refused(status: UInt16)
    /// The connection is closed, and nothing can be written.
    case closed
  }

  /// The kind of error.
  public let code: Code
  /// One or two sentences for a person: the place, the problem, the expectation, and a way to fix it.
  public let description: String

  package init(_ code: Code, _ description: String) { (self.code, self.description) = (code, description) }
}

extension WebSocketError: CustomStringConvertible {}

extension WebSocketError {
  /// The event that `LiveConnection` gets for it.
  package var failure: ConnectFailure {
    switch code {
    case .connect(let failure): failure
    case .refused: .notWebSocket
    case .badCertificate: .insecure
    case .badAddress, .badConfiguration, .cannotListen, .noDescriptors, .closed: .unreachable
    }
  }

  /// An error of the event loop, the system or the secure layer, before the opening handshake was done.
  ///
  /// - Parameters:
  ///   - error: The reported error.
  ///   - address: The address of the connection, for the message.
  ///   - certificate: The server's certificate, if the TLS handshake got so far.
  init(opening error: any Error, to address: String, certificate: NIOSSLCertificate? = nil) {
    switch error {
    case let own as WebSocketError: self = own
    case let several as NIOConnectionError: self.init(several, to: address)
    case let system as IOError: self.init(errno: system.errnoCode, to: address)
    case ChannelError.connectTimeout: self.init(errno: ETIMEDOUT, to: address)
    case is SocketAddressError: self = .nameNotFound(address)
    case let secure as NIOSSLExtraError where secure == .failedToValidateHostname || "\(secure)".contains("ostname"):
      self = .insecure(address, "its certificate is for another name; connect by a name that the certificate holds")
    case let secure as NIOSSLError: self.init(secure, to: address, certificate)
    case is BoringSSLError, is NIOSSLExtraError: self = .insecure(address, "the secure handshake failed: \(error)")
    default:
      self.init(
        .connect(.reset), "\(address): the connection was closed before the WebSocket handshake was done (\(error)).")
    }
  }

  private init(_ several: NIOConnectionError, to address: String) {
    // An error of a connection explains more than one of the name's look-up.
    if let last = several.connectionErrors.last(where: { $0.error is IOError }) ?? several.connectionErrors.last {
      self.init(opening: last.error, to: address)
    } else {
      self = .nameNotFound(address)
    }
  }

  private init(_ secure: NIOSSLError, to address: String, _ certificate: NIOSSLCertificate?) {
    switch secure {
    case .unableToValidateCertificate: self = .insecure(address, Self.fault(of: certificate))
    case .handshakeFailed(.sslError) where "\(secure)".contains("VERIFY_FAILED"):
      self = .insecure(address, Self.fault(of: certificate))
    case .handshakeFailed(.sslError) where "\(secure)".contains("WRONG_VERSION_NUMBER"):
      self = .insecure(address, "the answer is no TLS; is the server plain (ws://)?")
    case .handshakeFailed(.sslError(let stack)) where stack == [.eofDuringHandshake]:
      self = .insecure(address, "the server closed the connection during the secure handshake")
    default: self = .insecure(address, "the secure handshake failed: \(secure)")
    }
  }

  /// The reason why a certificate is not accepted, which the TLS library does not report.
  private static func fault(of certificate: NIOSSLCertificate?) -> String {
    let now = time(nil)
    if let certificate, certificate.notValidAfter < now {
      return "its certificate has expired; renew it at the server"
    }
    if let certificate, certificate.notValidBefore > now {
      return "its certificate is not valid yet; check the clocks of both machines"
    }
    return "its certificate is signed by no authority that is trusted here; name the authority's certificate as a"
      + " trust root"
  }

  private init(errno code: CInt, to address: String) {
    switch code {
    case ECONNREFUSED:
      self.init(.connect(.connectionRefused), "\(address): nobody listens there; start the server, or check the port.")
    case ENETUNREACH, EHOSTUNREACH, ENETDOWN, EADDRNOTAVAIL, EHOSTDOWN:
      self.init(.connect(.unreachable), "\(address): there is no route to the host; check the network and the address.")
    case ETIMEDOUT:
      self.init(.connect(.timedOut), "\(address): no answer in time; check the address, and firewalls on the way.")
    case EMFILE, ENFILE:
      self.init(
        .noDescriptors, "\(address): the process has no file descriptors left; raise the limit ('ulimit -n').")
    default:
      let reason = unsafe String(cString: strerror(code))
      self.init(
        .connect(.reset), "\(address): the connection broke before the WebSocket handshake was done: \(reason).")
    }
  }

  private static func nameNotFound(_ address: String) -> WebSocketError {
    WebSocketError(
      .connect(.nameNotFound), "\(address): the host's name was not found; check the spelling, and the network.")
  }

  private static func insecure(_ address: String, _ reason: String) -> WebSocketError {
    WebSocketError(.connect(.insecure), "\(address): \(reason).")
  }

  static func notWebSocket(_ address: String, _ reason: String) -> WebSocketError {
    WebSocketError(
      .connect(.notWebSocket),
      "\(address): the answer is no WebSocket handshake (\(reason)); check the address and its path.")
  }

  /// A refused handshake; `location` is the address of a redirect, or its header field.
  init(_ refusal: Refusal, by address: String, location: String?) {
    let target = location.map { " and a redirect to '\($0.printable)'" } ?? ""
    let cure =
      switch (refusal.status, refusal.redirect) {
      case (200...299, _): "a web page answers there, and no WebSocket; check the address and its path"
      case (300...399, .unusable): "that is no address of a WebSocket; check the address and its path"
      case (300...399, _) where location != nil: "it is not followed; connect to that address if it is right"
      case (401, _), (403, _), (407, _): "check the credentials"
      case (404, _), (410, _): "check the path"
      case (408, _), (421, _), (425, _), (429, _), (500..., _): "try again later, or ask the operator of the server"
      default: "check the address, and what the server requires, such as a header field or a subprotocol"
      }
    self.init(
      .refused(status: refusal.status),
      "\(address): the server refused the handshake with status \(refusal.status)\(target); \(cure).")
  }

  static func timedOut(_ address: String) -> WebSocketError { WebSocketError(errno: ETIMEDOUT, to: address) }

  init(listening error: any Error, on address: String) {
    let number = (error as? IOError)?.errnoCode ?? 0
    switch number {
    case EADDRINUSE:
      self.init(.cannotListen, "\(address): the port is in use; choose another, or 0 for any that is free.")
    case EADDRNOTAVAIL:
      self.init(.cannotListen, "\(address): this is no address of this machine; listen on 127.0.0.1, ::1 or 0.0.0.0.")
    case EACCES:
      self.init(.cannotListen, "\(address): the port is not permitted; choose one from 1024 on.")
    case EMFILE, ENFILE:
      self.init(
        .noDescriptors, "\(address): the process has no file descriptors left; raise the limit ('ulimit -n').")
    default: self.init(.cannotListen, "\(address): cannot listen there: \(error).")
    }
  }
  /// An error of a file that should contain a certificate or a key.
  init(unreadable path: String, _ what: String) {
    let cause = unsafe access(path, R_OK) == 0 ? "it holds none" : String(cString: strerror(errno))
    self.init(.badCertificate, "'\(path)': expected a \(what) in PEM form; \(cause).")
  }
}
