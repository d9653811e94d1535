// SPDX-License-Identifier: GPL-3.0-or-later
internal import MonteCarlo
internal import Randomness

/// A case of a property as one word that a person can copy: `league.3:1:AgAACQEBAgI`.
///
/// It holds the property's id, the version of the format and every choice with its bounds. Hence it also tells whether
/// the generators still ask for the same choices.
public struct ReplayToken: Sendable, Hashable {
  package static let version = 1

  /// The id of the property whose case it is.
  public let property: String
  /// The choices that make the case; the labels of its spans stand for any.
  package let tape: Tape

  package init(property: String, tape: Tape) {
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

  package func belongs(to property: Property) throws(ReplayError) {
    guard self.property == property.id else { throw .otherProperty(token: self.property, property: property.id) }
  }

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

/// Why a replay token cannot be used, with what a person needs to mend it.
public enum ReplayError: Error, Sendable, Hashable {
  /// The text is no token at all.
  case notAToken(found: String)
  /// The token was written by another version.
  case otherVersion(found: String, property: String)
  /// The token belongs to another property than the one to replay.
  case otherProperty(token: String, property: String)
  /// Letters of the token were lost or changed.
  case damaged(property: String, found: String)
}

extension ReplayError: CustomStringConvertible {
  /// One sentence: the value found, what was expected, how to mend it.
  public var description: String {
    switch self {
    case .notAToken(let found):
      "replay token: found '\(Self.shortened(found))', expected PROPERTY:\(ReplayToken.version):LETTERS on one line, as"
        + " a failure prints it."
    case .otherVersion(let found, let property):
      "replay token of '\(property)': found format version \(found), expected \(ReplayToken.version); find the failure"
        + " again with this version, or replay it with the one that wrote it."
    case .otherProperty(let token, let property):
      "replay token: found one of '\(token)', expected one of '\(property)'; name the property it belongs to."
    case .damaged(let property, let found):
      "replay token of '\(property)': '\(Self.shortened(found))' is damaged, letters are missing or changed; copy the"
        + " whole word again."
    }
  }

  private static func shortened(_ text: String) -> String {
    let visible = PlainText.escaped(text)
    return visible.count <= 60 ? visible : visible.prefix(57) + "..."
  }
}

/// What came of a case that was run again.
public enum ReplayOutcome: Sendable, Hashable, Codable {
  /// It fails still, or again: with its arguments and what went wrong.
  case failed(Failure, arguments: [String])
  /// It passes now.
  case passed
  /// The property assumes by now that such a case does not come.
  case excluded
  /// The generators ask for other choices than those kept, so the case is no longer what it was; it was not judged.
  case stale
}

extension Property {
  /// Runs a case again that was found before.
  ///
  /// - Parameter token: The case, as a failure printed it.
  /// - Returns: What came of it; a case that the generators can no longer make as it was is stale, and not judged.
  /// - Throws: `ReplayError.otherProperty` for a case of another property.
  public func replay(_ token: ReplayToken) throws -> ReplayOutcome {
    try token.belongs(to: self)
    var draws = try Draws(seed: 0)
    let context = CaseContext()
    return CaseContext.$current.withValue(context) { trial.recording(into: context).replay(token.tape, &draws) }
  }
}

extension Trial {
  /// The same case with the labels that its spans have in this process.
  func redrawn(_ tape: Tape, _ draws: inout Draws) -> Tape {
    draws.begin(reading: tape)
    _ = attempt(&draws) { _ in false }
    return draws.isFaithfulReplay ? draws.tape : tape
  }

  /// Judges the case on a tape if the generators ask for exactly its choices.
  func replay(_ tape: Tape, _ draws: inout Draws) -> ReplayOutcome {
    draws.begin(reading: tape)
    switch attempt(&draws, { $0.isFaithfulReplay }) {
    case .passed: return .passed
    case .discarded(.assumption): return draws.isFaithfulReplay ? .excluded : .stale
    case .discarded, .declined: return .stale
    case .failed(let failure):
      guard draws.isFaithfulReplay else { return .stale }
      draws.begin(reading: tape)
      return .failed(failure, arguments: describe(&draws))
    }
  }
}

extension CheckReport {
  package init(
    replaying property: Property, _ failure: Failure, arguments: [String], token: ReplayToken, settings: CheckSettings
  ) {
    self.init(
      .falsified(Counterexample(token.tape, failure, arguments: arguments)), CaseTally(), ending: .completed,
      coverage: [], warnings: [], settings: settings, argumentNames: property.argumentNames)
  }
}
