// SPDX-License-Identifier: Apache-2.0
internal import CoreDates

extension Redirect {
  /// What counts of the field `Location` (RFC 9110, section 10.2.2), resolved by RFC 3986, section 5.2.
  ///
  /// A target with its own scheme counts by that; `//host/path` and a path or query keep the scheme of the address.
  /// Unusable: other schemes, no host, a port that is none, a name or password before the host (RFC 6455, section 3,
  /// has no place for one), blanks, control characters, backslashes and whatever is not ASCII.
  ///
  /// - Parameters:
  ///   - location: The field's value.
  ///   - address: The address that was asked.
  public init(location: String, from address: String) {
    let text = location.withoutBlanks
    guard !text.isEmpty, text.utf8.allSatisfy({ 0x21...0x7e ~= $0 && !"\"<>\\^`{|}".utf8.contains($0) }) else {
      self = .unusable
      return
    }
    let (scheme, rest) = Self.split(text)
    let target = scheme ?? Self.split(address[...]).scheme
    guard let target, scheme == nil || rest.hasPrefix("//"), Self.hasGoodHost(rest) else {
      self = .unusable
      return
    }
    switch target {
    case "wss", "https": self = .secure
    case "ws", "http": self = .plain
    default: self = .unusable
    }
  }

  /// The scheme in small letters, and what follows its colon. Nil where the reference is relative.
  private static func split(_ text: Substring) -> (scheme: String?, rest: Substring) {
    let name = text.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
    guard let first = name.first, first.isLetter, text[name.endIndex...].hasPrefix(":") else { return (nil, text) }
    return (name.lowercased(), text[name.endIndex...].dropFirst())
  }

  /// Whether the authority is a host with or without a port; also where there is no authority, and so the old one.
  private static func hasGoodHost(_ rest: Substring) -> Bool {
    guard rest.hasPrefix("//") else { return true }
    let authority = rest.dropFirst(2).prefix { !"/?#".contains($0) }
    guard !authority.contains("@") else { return false }
    let isBracketed = authority.hasPrefix("[")
    guard let end = isBracketed ? authority.firstIndex(of: "]") : authority.firstIndex(of: ":") ?? authority.endIndex
    else { return false }
    let host = isBracketed ? authority[..<end].dropFirst() : authority[..<end]
    let after = isBracketed ? authority[end...].dropFirst() : authority[end...]
    let isGoodName = host.allSatisfy { isBracketed ? $0.isHexDigit || ":.".contains($0) : !"[]".contains($0) }
    return !host.isEmpty && isGoodName && isPort(after)
  }

  /// Whether it is nothing, or a colon and a port. An empty port is the scheme's own (RFC 3986, section 3.2.3).
  private static func isPort(_ text: Substring) -> Bool {
    guard text.hasPrefix(":") else { return text.isEmpty }
    let digits = text.dropFirst()
    return digits.isEmpty || (digits.allSatisfy(\.isNumber) && (UInt16(digits) ?? 0) > 0)
  }
}
