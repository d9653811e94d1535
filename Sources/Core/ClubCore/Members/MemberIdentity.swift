// SPDX-License-Identifier: Apache-2.0

/// The identity of a member, as far as a feed shows it.
///
/// The collision policy:
/// - Without a token, two people who share a first name and an initial count as one member, because nothing
///   distinguishes them. The core never guesses by their habits: a wrong guess would lose distance silently.
/// - With a token, each token is a separate member, whatever the name; one token under two names is one member who was
///   renamed.
/// - An activity without a token belongs to a member of its name without a token, even if others of that name have
///   tokens.
/// - Signs that a member is several people, or that several members are one, are reported with their evidence as
///   `SuspectedCollision` and change no number: several spellings of one name, more elapsed time in a week than a week
///   has, activities at the same time, one name with several tokens, or with and without one.
public struct MemberIdentity: Hashable, Codable, Sendable {
  /// The name.
  public let name: AthleteName
  /// The token that distinguishes members of one name in the feed; `nil` where it has none.
  public let token: AthleteToken?

  /// A member; without a token, as in most feeds, only the name counts.
  public init(name: AthleteName, token: AthleteToken? = nil) {
    (self.name, self.token) = (name, token)
  }

  /// Returns true if both are the same member: by the tokens if one has a token, otherwise by the names.
  public static func == (left: MemberIdentity, right: MemberIdentity) -> Bool {
    left.token == right.token && (left.token != nil || left.name == right.name)
  }

  /// Hashes the token, or the name without one.
  public func hash(into hasher: inout Hasher) {
    if let token { hasher.combine(token) } else { hasher.combine(name) }
  }
}

extension MemberIdentity {
  /// Returns true if it precedes another member in lists: by name, then by token, the one without a token first.
  ///
  /// This is not `<`: one token under two names is one member with two positions; `settled(with:)` decides which
  /// spelling counts.
  public func precedes(_ other: MemberIdentity) -> Bool {
    name != other.name ? name < other.name : (token?.value ?? "") < (other.token?.value ?? "")
  }

  /// The spelling to keep of two spellings of one member, independent of their order: the first by name, then the first
  /// by the spelling itself, which prefers `Sarah` to `sarah`.
  public func settled(with other: MemberIdentity) -> MemberIdentity {
    if name != other.name { return name < other.name ? self : other }
    let (mine, others) = (name.description.unicodeScalars, other.name.description.unicodeScalars)
    return others.lexicographicallyPrecedes(mine) ? other : self
  }
}

/// The token that distinguishes athletes of one name in a feed: the service's number, or a hash of it.
public struct AthleteToken: Hashable, Sendable {
  /// The token as text, never empty.
  public let value: String

  /// A token; nil for an empty text.
  public init?(_ value: String) {
    guard !value.isEmpty else { return nil }
    self.value = value
  }
}

extension AthleteToken: RawRepresentable, Codable {
  /// The token as text, never empty.
  public var rawValue: String { value }

  /// A token; nil for an empty text.
  public init?(rawValue: String) { self.init(rawValue) }
}

/// A member's name in the feed: the first name and the initial of the last. Case, redundant spaces, the encoding of
/// accents, characters without a shape and a final full stop do not distinguish members: `"sarah "` is `"Sarah"`, and
/// `"B"` is `"B."`.
public struct AthleteName: Sendable {
  /// The first name, without redundant spaces.
  public let first: String
  /// The last name as far as the feed has it, without redundant spaces: `M.`
  public let last: String
  /// The key that distinguishes names.
  fileprivate let key: String

  /// A name with any spaces and case.
  public init(first: String, last: String) {
    self.first = Self.tidied(first)
    self.last = Self.tidied(last)
    // Neither part can contain a line end, so that two names never share a key by accident.
    key = "\(Self.folded(self.first))\n\(Self.folded(self.last))"
  }

  func isSpelt(like other: AthleteName) -> Bool {
    first.utf8.elementsEqual(other.first.utf8) && last.utf8.elementsEqual(other.last.utf8)
  }

  /// A name without differences that nobody sees or means: case, characters without a shape, a final full stop.
  private static func folded(_ name: String) -> String {
    var name = name.lowercased()
    if !name.utf8.allSatisfy({ $0 < 0x80 }) {
      name.unicodeScalars.removeAll { $0.properties.generalCategory == .format }
    }
    if name.utf8.count > 1, name.hasSuffix(".") { name.removeLast() }
    return name
  }

  /// The words of a text joined by single spaces.
  private static func tidied(_ text: String) -> String {
    // Nearly every name is tidy, which its bytes show quickly.
    if text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) { return text }
    // Split by scalars: a combining mark after a space forms one `Character` with it.
    return text.unicodeScalars.split(whereSeparator: \.properties.isWhitespace).map { String($0) }.joined(
      separator: " ")
  }
}

extension AthleteName: Hashable {
  /// Returns true if both names have the same key.
  public static func == (left: AthleteName, right: AthleteName) -> Bool { left.key == right.key }

  /// Hashes the key.
  public func hash(into hasher: inout Hasher) { hasher.combine(key) }
}

extension AthleteName: Codable {
  private enum CodingKeys: CodingKey {
    case first, last
  }

  /// Decodes a stored name.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      first: try fields.decode(String.self, forKey: .first), last: try fields.decode(String.self, forKey: .last))
  }
}

extension AthleteName: Comparable {
  /// Orders by first name, then by last name, ignoring case.
  public static func < (left: AthleteName, right: AthleteName) -> Bool { left.key < right.key }
}

/// The beginning of a name as a number, which decides the order of most names without comparing texts.
struct NamePrefix {
  private let bytes: UInt128
  /// True if the whole name is ASCII, so that the order of bytes is that of characters.
  private let isPlain: Bool

  init(_ name: AthleteName) {
    var (bytes, count, isPlain) = (UInt128(0), 0, true)
    for byte in name.key.utf8 {
      if byte >= 0x80 { isPlain = false }
      if count < 16 { (bytes, count) = (bytes << 8 | UInt128(byte), count + 1) }
    }
    (self.bytes, self.isPlain) = (bytes << UInt128(8 * (16 - count)), isPlain)
  }

  @inline(__always)
  func precedes(_ other: NamePrefix) -> Bool? {
    isPlain && other.isPlain && bytes != other.bytes ? bytes < other.bytes : nil
  }
}

extension AthleteName: CustomStringConvertible {
  /// `Sarah M.`, as it was spelt.
  public var description: String { last.isEmpty ? first : first.isEmpty ? last : "\(first) \(last)" }
}

/// The displayed form of a member's name.
public enum NameStyle: String, CaseIterable, Hashable, Sendable {
  /// The first name and the initial of the last: `Sarah M.`
  case short
  /// All that the feed has, for large screens: `Sarah Miller`
  case full
}

extension AthleteName {
  /// The displayed name: both names begin in upper case, without control characters for terminals and bidirectional
  /// formatting characters.
  public func shown(_ style: NameStyle = .short) -> String {
    let (first, last) = (Self.capitalised(Self.harmless(first)), Self.capitalised(Self.harmless(last)))
    let end = style == .full ? last : last.first.map { $0 == "." ? last : "\($0)." } ?? ""
    return [first, end].filter { !$0.isEmpty }.joined(separator: " ")
  }

  private static func capitalised(_ text: String) -> String {
    guard let letter = text.unicodeScalars.first, !("A"..."Z").contains(letter) else { return text }
    return letter.properties.titlecaseMapping + String(text.unicodeScalars.dropFirst())
  }

  /// The text without control characters and bidirectional formatting characters.
  static func harmless(_ text: String) -> String {
    if text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) { return text }
    return String(
      String.UnicodeScalarView(
        text.unicodeScalars.filter { scalar in
          scalar.properties.generalCategory != .control && !(0x202A...0x202E).contains(scalar.value)
            && !(0x2066...0x2069).contains(scalar.value)
        }))
  }
}
