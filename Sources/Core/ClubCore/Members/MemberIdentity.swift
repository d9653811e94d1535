// SPDX-License-Identifier: Apache-2.0

/// Who a member is, as far as a feed shows.
///
/// The collision policy:
/// - Without a token two people who share a first name and an initial are one member, and nobody can part them: the
///   core counts them as one. It never guesses them apart by their habits, because a wrong guess would lose distance
///   silently.
/// - With a token each token is a member of its own, whatever the name, and one token under two names is one member
///   who was renamed.
/// - An activity without a token belongs to the name alone, which is a member of its own, even where others of that
///   name have tokens.
/// - What makes it suspect that a member is several people, or that several members are one, is reported with its
///   evidence as `SuspectedCollision`, and changes no number: several spellings of one name, more elapsed time in a
///   week than a week has, activities at the same time, one name with several tokens, or with and without one.
public struct MemberIdentity: Hashable, Codable, Sendable {
  /// The name.
  public let name: AthleteName
  /// The token by which the feed distinguishes members of one name; nil where it has none.
  public let token: AthleteToken?

  /// A member; without a token, as most feeds are, the name alone counts.
  public init(name: AthleteName, token: AthleteToken? = nil) {
    (self.name, self.token) = (name, token)
  }

  /// Whether both are the same member: by token where both have one, by name and the lack of a token otherwise.
  public static func == (left: MemberIdentity, right: MemberIdentity) -> Bool {
    left.token == right.token && (left.token != nil || left.name == right.name)
  }

  /// Feeds what tells members apart.
  public func hash(into hasher: inout Hasher) {
    if let token { hasher.combine(token) } else { hasher.combine(name) }
  }
}

extension MemberIdentity {
  /// Whether it stands before another member in lists: by name, then by token, the one without first.
  ///
  /// Not `<`: one token under two names is one member with two places, and which spelling counts is `settled(with:)`'s.
  public func precedes(_ other: MemberIdentity) -> Bool {
    name != other.name ? name < other.name : (token?.value ?? "") < (other.token?.value ?? "")
  }

  /// Of two spellings of one member the one that is kept, whatever the order in which they were met: the first by
  /// name, then the first by the spelling itself, which prefers `Sarah` to `sarah`.
  public func settled(with other: MemberIdentity) -> MemberIdentity {
    if name != other.name { return name < other.name ? self : other }
    let (mine, others) = (name.description.unicodeScalars, other.name.description.unicodeScalars)
    return others.lexicographicallyPrecedes(mine) ? other : self
  }
}

/// The token by which a feed distinguishes athletes of one name: the service's number, or a hash of it.
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

/// A member's name as the feed gives it: the first name and the initial of the last. Case, idle spaces and the form in
/// which accents are encoded do not tell members apart: `"sarah "` is `"Sarah"`.
public struct AthleteName: Sendable {
  /// The first name, without idle spaces.
  public let first: String
  /// The last name as far as the feed has it, without idle spaces: `M.`
  public let last: String
  /// The key by which names are distinguished.
  fileprivate let key: String

  /// A name; spaces and case as they come.
  public init(first: String, last: String) {
    self.first = Self.tidied(first)
    self.last = Self.tidied(last)
    // A line end can be in neither part, so that two names never share a key by accident.
    key = "\(self.first)\n\(self.last)".lowercased()
  }

  func isSpelt(like other: AthleteName) -> Bool {
    first.utf8.elementsEqual(other.first.utf8) && last.utf8.elementsEqual(other.last.utf8)
  }

  /// Words parted by single spaces.
  private static func tidied(_ text: String) -> String {
    // Nearly every name is tidy, and to see that in its bytes is fast.
    if text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) { return text }
    // By scalars: a mark that joins with the space before it leaves that space one.
    return text.unicodeScalars.split(whereSeparator: \.properties.isWhitespace).map { String($0) }.joined(
      separator: " ")
  }
}

extension AthleteName: Hashable {
  /// Whether both name the same member, as far as names can tell.
  public static func == (left: AthleteName, right: AthleteName) -> Bool { left.key == right.key }

  /// Feeds what tells names apart.
  public func hash(into hasher: inout Hasher) { hasher.combine(key) }
}

extension AthleteName: Codable {
  private enum CodingKeys: CodingKey {
    case first, last
  }

  /// A name as it was stored.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      first: try fields.decode(String.self, forKey: .first), last: try fields.decode(String.self, forKey: .last))
  }
}

extension AthleteName: Comparable {
  /// By first name, then by last, case aside.
  public static func < (left: AthleteName, right: AthleteName) -> Bool { left.key < right.key }
}

/// The beginning of a name as a number, which decides most names' order without comparing texts.
struct NamePrefix {
  private let bytes: UInt128
  /// Whether the whole name is ASCII, where the order of bytes is that of characters.
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

/// How much of a member's name is shown.
public enum NameStyle: String, CaseIterable, Hashable, Sendable {
  /// The first name and the initial of the last: `Sarah M.`
  case short
  /// As much as the feed has, for the big screen: `Sarah Miller`
  case full
}

extension AthleteName {
  /// The name as it is shown: the first letter of both names in upper case, whatever the feed has; nothing that
  /// commands a terminal or turns the direction of writing.
  public func shown(_ style: NameStyle = .short) -> String {
    let (first, last) = (Self.capitalised(Self.harmless(first)), Self.capitalised(Self.harmless(last)))
    let end = style == .full ? last : last.first.map { $0 == "." ? last : "\($0)." } ?? ""
    return [first, end].filter { !$0.isEmpty }.joined(separator: " ")
  }

  private static func capitalised(_ text: String) -> String {
    guard let letter = text.unicodeScalars.first, !("A"..."Z").contains(letter) else { return text }
    return letter.properties.titlecaseMapping + String(text.unicodeScalars.dropFirst())
  }

  /// Without control characters and the marks that turn the direction of writing.
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
