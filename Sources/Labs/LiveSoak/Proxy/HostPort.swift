// SPDX-License-Identifier: GPL-3.0-or-later
internal import Glibc
package import NIOCore

/// A host and a port: `127.0.0.1:9000`, `[::1]:9000`, `example.org:80`; `*` is every address of this machine.
package struct HostPort: Sendable, Hashable, CustomStringConvertible {
  package let host: String
  package let port: Int

  /// Reads a text; nil if it is not a host and a port.
  package init?(_ text: String) {
    guard let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...]), 0...65_535 ~= port
    else { return nil }
    let host = text[..<colon]
    if host.hasPrefix("["), host.hasSuffix("]") {
      self.host = String(host.dropFirst().dropLast())
    } else if host.isEmpty || host.contains(":") {
      return nil
    } else {
      self.host = String(host)
    }
    self.port = port
  }

  package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

  /// The address to listen on. A name is resolved.
  ///
  /// - Throws: The error of resolving the name.
  package var address: SocketAddress {
    get throws {
      let host = host == "localhost" ? "127.0.0.1" : EveryAddress.host(host)
      if let address = try? SocketAddress(ipAddress: host, port: port) { return address }
      return try .makeAddressResolvingHost(host, port: port)
    }
  }

  package var upstream: FaultProxy.Upstream {
    (try? SocketAddress(ipAddress: host, port: port)).map { .address($0) } ?? .name(host, port: port)
  }
}

/// The word for all addresses of this machine.
package enum EveryAddress {
  /// `*` as the address to listen on: that of IPv6, which also takes connections of IPv4, unless the machine has none.
  package static func host(_ host: String) -> String {
    guard host == "*" else { return host }
    let socket = socket(AF_INET6, Int32(SOCK_STREAM.rawValue), 0)
    guard socket >= 0 else { return "0.0.0.0" }
    close(socket)
    return "::"
  }
}
