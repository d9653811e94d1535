// SPDX-License-Identifier: Apache-2.0

/// A member's name as the feed gives it: the first name and the initial of the last. Case, idle spaces and the form in
/// which accents are encoded do not tell members apart: `"sarah "` is `"Sarah"`.
public struct AthleteName: Sendable {
  /// The first name, without idle spaces.
  public let first: String
  /// The last name as far as the feed tells it, without idle spaces: `M.`
  public let last: String
  /// What tells names apart.
  fileprivate let key: String

  /// A name.
  ///
  /// - Parameters:
  ///   - first: The first name, spaces and case as they come.
  ///   - last: The last name, or its initial.
  public init(first: String, last: String) {
    self.first = Self.tidied(first)
    self.last = Self.tidied(last)
    // A line end can be in neither part, so that two names never share a key by accident.
    key = "\(self.first)\n\(self.last)".lowercased()
  }

  /// Whether both are the same characters in the same encoding.
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

extension AthleteName: Comparable {
  /// By first name, then by last, case aside.
  public static func < (left: AthleteName, right: AthleteName) -> Bool { left.key < right.key }
}

/// The beginning of a name as a number, which tells most names' order without comparing texts.
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

  /// Whether its name comes first; nil where the beginnings do not tell.
  @inline(__always)
  func precedes(_ other: NamePrefix) -> Bool? {
    isPlain && other.isPlain && bytes != other.bytes ? bytes < other.bytes : nil
  }
}

extension AthleteName: CustomStringConvertible {
  /// `Sarah M.`, as it was spelt.
  public var description: String { last.isEmpty ? first : first.isEmpty ? last : "\(first) \(last)" }
}
