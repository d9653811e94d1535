// SPDX-License-Identifier: Apache-2.0

/// Who a member is, as far as a feed tells.
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
public struct MemberIdentity: Hashable, Sendable {
  /// The name.
  public let name: AthleteName
  /// What the feed tells members of one name apart by, where it carries anything.
  public let token: AthleteToken?

  /// A member.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - token: What tells members of one name apart; nil where the feed says nothing.
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
  ///
  /// - Parameter other: The same member.
  /// - Returns: One of both.
  public func settled(with other: MemberIdentity) -> MemberIdentity {
    if name != other.name { return name < other.name ? self : other }
    let (mine, others) = (name.description.unicodeScalars, other.name.description.unicodeScalars)
    return others.lexicographicallyPrecedes(mine) ? other : self
  }
}

/// What a feed tells athletes apart by, beside their names: the service's number, or a hash of it.
public struct AthleteToken: Hashable, Sendable {
  /// The token as text, never empty.
  public let value: String

  /// A token; nil for an empty text.
  ///
  /// - Parameter value: The token as text.
  public init?(_ value: String) {
    guard !value.isEmpty else { return nil }
    self.value = value
  }
}
