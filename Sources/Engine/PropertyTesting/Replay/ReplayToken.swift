// SPDX-License-Identifier: GPL-3.0-or-later

/// A case of a property as one word that a person can copy: `league.3:1:AgAACQEBAgI`.
///
/// It holds the property's id, the version of the format and every choice with its bounds. Hence it also tells whether
/// the generators still ask for the same choices.
public struct ReplayToken: Sendable, Hashable {
  /// The format that this version writes and reads.
  public static let version = 1

  /// The id of the property whose case it is.
  public let property: String
  /// The choices that make the case; the labels of its spans stand for any.
  public let tape: Tape

  /// Creates the token of a case.
  public init(property: String, tape: Tape) {
    self.property = property
    self.tape = Tape(tape.entries.map { $0.tag == .open ? .open(TapeEntry.anyLabel) : $0 })
  }

  /// Reads a token as it was printed.
  ///
  /// - Parameter text: One word; white space around it does not matter.
  /// - Throws: `ReplayError` saying what is wrong with it.
  /// - Complexity: O(length of the text).
  public init(parsing text: String) throws(ReplayError) {
    let word = text.drop(while: \.isWhitespace)
    let trimmed = word[..<(word.lastIndex { !$0.isWhitespace }.map(word.index(after:)) ?? word.endIndex)]
    let parts = trimmed.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 3, let id = PlainText.id(of: parts[0]), !id.isEmpty,
      !parts[1].isEmpty, parts[1].utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { throw .notAToken(found: text) }
    guard parts[1] == "\(Self.version)" else {
      throw .otherVersion(found: PlainText.escaped(String(parts[1])), property: id)
    }
    guard let bytes = Base64URL.decode(parts[2].utf8), bytes.count > 4,
      Self.checksum(id, bytes.dropLast(4)) == Array(bytes.suffix(4)),
      let tape = TapeCoding.decode(Array(bytes.dropLast(4)))
    else { throw .damaged(property: id, found: String(trimmed)) }
    (property, self.tape) = (id, tape)
  }

  /// Makes sure that the token is one of a property.
  ///
  /// - Throws: `ReplayError.otherProperty` naming both.
  public func belongs(to property: Property) throws(ReplayError) {
    guard self.property == property.id else { throw .otherProperty(token: self.property, property: property.id) }
  }

  /// A short name that two cases seldom share, for files.
  var digest: String { Checksum(description.utf8).shortName }

  private static func checksum(_ property: String, _ bytes: ArraySlice<UInt8>) -> [UInt8] {
    let sum = Checksum(Array(property.utf8) + [0] + bytes).folded
    return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: sum >> $0) }
  }
}

extension ReplayToken: CustomStringConvertible {
  /// The word that `init(parsing:)` reads.
  public var description: String {
    let bytes = TapeCoding.encode(tape)
    return
      "\(PlainText.word(property)):\(Self.version):\(Base64URL.encode(bytes + Self.checksum(property, bytes[...])))"
  }
}
