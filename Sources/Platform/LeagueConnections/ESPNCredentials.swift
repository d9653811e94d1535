// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation

/// The two cookies by which ESPN recognises a member of a private league. Descriptions of a value do not contain them.
public struct ESPNCredentials: Hashable, Sendable {
  package let swid: String
  package let espnS2: String

  /// The length of `espnS2` in characters; servers refuse longer header fields.
  private static let s2Characters = 100...4096

  /// Checks that both have the form that a browser shows, and that no character could end a header field or begin
  /// another cookie.
  ///
  /// - Throws: `LeagueConnectionError.badCredential`, which does not contain the value.
  public init(swid: String, espnS2: String) throws(LeagueConnectionError) {
    guard swid.first == "{", swid.last == "}", swid.utf8.count == 38,
      UUID(uuidString: String(swid.dropFirst().dropLast())) != nil
    else {
      throw .badCredential(
        name: "SWID", found: swid.isEmpty ? "nothing" : "another text",
        expected: "a UUID in braces, such as {01234567-89AB-CDEF-0123-456789ABCDEF}, as the browser shows the cookie")
    }
    // The octets of a cookie's value (RFC 6265, section 4.1.1).
    if let index = espnS2.utf8.enumerated().first(where: { !(0x21...0x7e ~= $1) || "\",;\\".utf8.contains($1) })?.offset
    {
      throw .badCredential(
        name: "espn_s2", found: "a character at place \(index + 1) that no cookie has",
        expected: "letters, digits and signs without blanks, commas, quotes and semicolons")
    }
    guard Self.s2Characters ~= espnS2.utf8.count else {
      throw .badCredential(
        name: "espn_s2", found: "\(espnS2.utf8.count) characters",
        expected: "\(Self.s2Characters.lowerBound) to \(Self.s2Characters.upperBound), the whole value as the browser "
          + "shows it")
    }
    (self.swid, self.espnS2) = (swid, espnS2)
  }

  /// The value of the header field `Cookie`.
  public var cookie: String { "SWID=\(swid); espn_s2=\(espnS2)" }
}

extension ESPNCredentials: CustomStringConvertible, CustomReflectable {
  public var description: String { "ESPN credentials (not shown)" }

  public var customMirror: Mirror { Mirror(self, children: []) }
}
