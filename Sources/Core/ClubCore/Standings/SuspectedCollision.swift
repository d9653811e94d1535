// SPDX-License-Identifier: Apache-2.0

/// A sign that one name may stand for several people, or that one person may stand under several members.
public struct SuspectedCollision: Hashable, Sendable {
  /// What makes it suspect, with the numbers.
  public enum Evidence: Hashable, Sendable {
    /// One member whose name is spelt in several ways, in the order of their characters: an account has one spelling
    /// at a time.
    case spellings([String])
    /// More seconds from start to end than a week has.
    case moreThanAWeek(elapsed: Int, week: Int)
    /// Two activities of one member at the same time: the second began at `start`, when `seconds` of the first were
    /// left.
    case overlap(first: String, second: String, start: Moment, seconds: Int)
    /// Several members of one name, whom tokens tell apart, so many of them.
    case severalTokens(Int)
    /// Activities of one name with a token and others without: those without may belong to one who has one.
    case partlyWithoutToken(tokens: Int, activitiesWithout: Int)
  }

  /// Whose name it is.
  public let member: MemberIdentity
  /// What makes it suspect.
  public let evidence: Evidence

  /// A suspicion.
  ///
  /// - Parameters:
  ///   - member: Whose name it is.
  ///   - evidence: What makes it suspect.
  public init(member: MemberIdentity, evidence: Evidence) {
    (self.member, self.evidence) = (member, evidence)
  }
}
