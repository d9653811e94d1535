// SPDX-License-Identifier: Apache-2.0
internal import NIOCore

/// The address of a WebSocket: `ws://host:port/path?query` or `wss://…` (RFC 6455, section 3).
package struct WebSocketAddress: Hashable, Sendable, CustomStringConvertible {
  /// True if it is `wss`: over TLS.
  package let isSecure: Bool
  /// A name in lower case, an IPv4 address, or an IPv6 address without its brackets.
  package let host: String
  package let port: UInt16
  /// Path and query, as sent.
  package let path: String

  /// Reads an address; that of a redirect or of a request may also begin with `http` for `ws`, and `https` for `wss`.
  ///
  /// - Throws: `AddressError`, which explains how to fix it.
  package init(parsing text: String, alsoHTTP: Bool = false) throws(AddressError) {
    try Self.checkCharacters(text)
    guard let (scheme, rest) = Self.splitScheme(text), rest.hasPrefix("//") else {
      throw AddressError(text, "has to begin with ws:// or wss://")
    }
    switch scheme {
    case "ws": isSecure = false
    case "wss": isSecure = true
    case "http" where alsoHTTP: isSecure = false
    case "https" where alsoHTTP: isSecure = true
    case "http", "https":
      throw AddressError(text, "is a web page's: a WebSocket's begins with \(scheme == "http" ? "ws" : "wss")://")
    default: throw AddressError(text, "has the scheme '\(scheme)', expected ws or wss")
    }
    guard !rest.contains("#") else { throw AddressError(text, "has a fragment (#…), which a WebSocket has not") }
    let authority = rest.dropFirst(2).prefix { $0 != "/" && $0 != "?" }
    guard !authority.contains("@") else {
      throw AddressError(text, "has a name or password before its host: send a header field Authorization instead")
    }
    let (host, port) = try Self.split(authority, of: text)
    self.port = port ?? (isSecure ? 443 : 80)
    self.host = (host.hasPrefix("[") ? host.dropFirst().dropLast() : host).lowercased()
    let path = rest.dropFirst(2 + authority.count)
    self.path = path.hasPrefix("/") ? String(path) : "/" + path
  }

  /// True if the host is an IP address, which is not sent as SNI (RFC 6066, section 3).
  package var isIPAddress: Bool { host.contains(":") || Self.isIPv4(host[...]) }

  /// Host and port as in the field `Host`: without the scheme's own port.
  package var authority: String {
    let name = host.contains(":") ? "[\(host)]" : host
    return port == (isSecure ? 443 : 80) ? name : "\(name):\(port)"
  }

  package var description: String { "\(isSecure ? "wss" : "ws")://\(authority)\(path)" }

  /// The target of a `Location` from this address (RFC 3986, section 5.2); `http` counts as `ws`, and `https` as `wss`.
  package func redirected(to location: String) throws(AddressError) -> WebSocketAddress {
    try Self.checkCharacters(location.withoutBlanks)
    let target = String(location.withoutBlanks.prefix { $0 != "#" })
    if Self.splitScheme(target) != nil { return try Self(parsing: target, alsoHTTP: true) }
    let scheme = isSecure ? "wss:" : "ws:"
    if target.hasPrefix("//") { return try Self(parsing: scheme + target) }
    let here = path.prefix { $0 != "?" }
    let query = target.drop { $0 != "?" }
    let wanted = target.prefix { $0 != "?" }
    let directory =
      wanted.hasPrefix("/") ? "" : String(here.prefix(through: here.lastIndex(of: "/") ?? here.startIndex))
    let resolved =
      if wanted.isEmpty {
        target.isEmpty ? path : String(here + query)
      } else {
        Self.withoutDots(directory + wanted) + query
      }
    return try Self(parsing: "\(scheme)//\(authority)\(resolved)")
  }

  /// A path without its segments `.` and `..` (RFC 3986, section 5.2.4).
  private static func withoutDots(_ path: Substring) -> String {
    var segments: [Substring] = []
    let all = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
    for (index, segment) in all.enumerated() {
      let isDots = segment == "." || segment == ".."
      if segment == ".." { _ = segments.popLast() }
      if !isDots { segments.append(segment) }
      // A path that ends with dots ends with a slash.
      if isDots, index == all.count - 1 { segments.append("") }
    }
    return "/" + segments.joined(separator: "/")
  }

  private static func checkCharacters(_ text: String) throws(AddressError) {
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x20: throw AddressError(text, "has a blank in it; in a path it is written as %20")
      case 0..<0x20, 0x7F: throw AddressError(text, "has a control character in it")
      case 0x80...:
        throw AddressError(
          text, "has '\(scalar)' in it: a name is written in Punycode (xn--…), a path with percent signs")
      default: break
      }
      if "\"<>\\^`{|}".unicodeScalars.contains(scalar) {
        throw AddressError(text, "has '\(scalar)' in it, which is written with a percent sign")
      }
    }
  }

  /// The scheme in lower case, and the text after its colon; nil if there is none.
  private static func splitScheme(_ text: String) -> (scheme: String, rest: Substring)? {
    let name = text.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
    let rest = text[name.endIndex...]
    guard let first = name.first, first.isLetter, rest.hasPrefix(":") else { return nil }
    return (name.lowercased(), rest.dropFirst())
  }

  private static func split(_ authority: Substring, of text: String) throws(AddressError) -> (Substring, UInt16?) {
    let host: Substring
    if authority.hasPrefix("[") {
      guard let end = authority.firstIndex(of: "]") else { throw AddressError(text, "has a [ without a ]") }
      host = authority[...end]
      guard isIPv6(host.dropFirst().dropLast()) else { throw AddressError(text, "has no IPv6 address in its brackets") }
    } else {
      host = authority.prefix { $0 != ":" }
      guard !authority[host.endIndex...].dropFirst().contains(":") else {
        throw AddressError(text, "has several colons in its host: an IPv6 address stands in brackets, as in [::1]")
      }
      guard !host.isEmpty else { throw AddressError(text, "has no host") }
      try checkName(host, of: text)
    }
    let port = authority[host.endIndex...]
    guard let colon = port.first else { return (host, nil) }
    guard colon == ":" else { throw AddressError(text, "has '\(port)' behind its host, expected a port or a path") }
    let digits = port.dropFirst()
    if digits.isEmpty { return (host, nil) }
    guard digits.allSatisfy({ $0.isASCII && $0.isNumber }), let number = UInt16(digits), number > 0 else {
      throw AddressError(text, "has the port '\(digits)', expected 1 to 65535")
    }
    return (host, number)
  }

  private static func checkName(_ host: Substring, of text: String) throws(AddressError) {
    if let odd = host.first(where: { !$0.isLetter && !$0.isNumber && !"-._".contains($0) }) {
      throw AddressError(text, "has '\(odd)' in its host")
    }
    var labels = host.split(separator: ".", omittingEmptySubsequences: false)
    // A name may end with a dot.
    if labels.count > 1, labels.last?.isEmpty == true { labels.removeLast() }
    guard host.count <= 253, labels.allSatisfy({ 1...63 ~= $0.count }) else {
      throw AddressError(text, "has the host '\(host)': a name has 253 letters at most, 1 to 63 between two dots")
    }
    if labels.last?.allSatisfy(\.isNumber) == true, !isIPv4(host) {
      throw AddressError(text, "has the host '\(host)', which is no IPv4 address: four numbers of 0 to 255")
    }
  }

  private static func isIPv4(_ host: Substring) -> Bool {
    let numbers = host.split(separator: ".", omittingEmptySubsequences: false)
    return numbers.count == 4 && numbers.allSatisfy { UInt8($0).map(String.init) == String($0) }
  }

  private static func isIPv6(_ text: Substring) -> Bool {
    text.contains(":") && (try? SocketAddress(ipAddress: String(text), port: 0)) != nil
  }

  /// Returns true if a text is a host with or without a port, as in the field `Host`.
  static func isAuthority(_ text: String) -> Bool {
    !text.contains { "/?#@".contains($0) } && (try? Self(parsing: "ws://" + text)) != nil
  }
}

package struct AddressError: Error, Hashable, Sendable, CustomStringConvertible {
  package let description: String

  init(_ text: String, _ problem: String) { description = "the address '\(text.printable)' \(problem)" }
}
