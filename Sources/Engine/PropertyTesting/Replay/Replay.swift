// SPDX-License-Identifier: GPL-3.0-or-later
internal import Randomness

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
    return CaseContext.$current.withValue(context) { trial.heard(by: context).replay(token.tape, &draws) }
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
