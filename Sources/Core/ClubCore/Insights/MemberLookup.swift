// SPDX-License-Identifier: Apache-2.0

/// Finds members by what a person types.
public struct MemberLookup: Sendable {
  private let members: [MemberIdentity]

  /// A lookup among some members.
  ///
  /// - Parameter members: In any order; each counts once.
  public init(_ members: some Sequence<MemberIdentity>) {
    var spellings: [MemberIdentity: MemberIdentity] = [:]
    for member in members { spellings[member] = spellings[member]?.settled(with: member) ?? member }
    self.members = spellings.values.sorted { $0.precedes($1) }
  }

  /// The member of a name, case, idle spaces and full stops aside: `tom b` is `Tom B.` Without a last name, the one
  /// member of that first name. With a token behind the name in parentheses, that member: `Tom B. (1234)`.
  ///
  /// - Parameter name: What was typed.
  /// - Returns: The member, in the spelling that the tallies keep.
  /// - Throws: `ClubError.ambiguousMember` where several are meant, `ClubError.noSuchMember` with the nearest names
  ///   where nobody is.
  public func member(named name: String) throws(ClubError) -> MemberIdentity {
    let asked = Self.folded(name)
    let ways: [(MemberIdentity) -> String] = [
      { Self.folded(Self.label($0)) }, { Self.folded($0.name.description) }, { Self.folded($0.name.first) },
    ]
    for way in ways where !asked.isEmpty {
      let found = members.filter { way($0) == asked }
      if found.count == 1 { return found[0] }
      if found.count > 1 { throw .ambiguousMember(name: name, members: found.map(Self.label)) }
    }
    throw .noSuchMember(name: name, nearest: nearest(to: asked))
  }

  /// The name, with the token in parentheses where there is one.
  static func label(_ member: MemberIdentity) -> String {
    member.name.shown(.full) + (member.token.map { " (\($0.value))" } ?? "")
  }

  /// Words in lower case without full stops.
  private static func folded(_ text: String) -> String {
    text.lowercased().filter { $0 != "." }.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// The three nearest names within half of what was typed, best first, then by name.
  private func nearest(to asked: String) -> [String] {
    let asked = Array(asked.prefix(Self.longest))
    let reach = max(2, asked.count / 2)
    var (found, seen) = ([(distance: Int, name: String)](), Set<String>())
    for member in members {
      let folded = Array(Self.folded(member.name.description).prefix(Self.longest))
      guard abs(folded.count - asked.count) <= reach else { continue }
      let distance = EditDistance.between(asked, folded)
      let name = member.name.shown(.full)
      if distance <= reach, seen.insert(name).inserted { found.append((distance, name)) }
    }
    return found.enumerated().sorted { ($0.element.distance, $0.offset) < ($1.element.distance, $1.offset) }.prefix(3)
      .map(\.element.name)
  }

  /// Longer names are compared by their beginnings alone, so that a name of a million characters costs no more.
  private static let longest = 64
}

extension WeekTally {
  /// The member of a name among those with activities.
  ///
  /// - Parameter name: What was typed; `MemberLookup` says what is accepted.
  /// - Returns: The member, in the spelling that the tallies keep.
  /// - Throws: `ClubError.ambiguousMember`, `ClubError.noSuchMember`.
  public func member(named name: String) throws(ClubError) -> MemberIdentity {
    try MemberLookup(entries.map(\.member)).member(named: name)
  }
}

extension ClubWeek {
  /// The member of a name among those with activities this week or last.
  ///
  /// - Parameter name: What was typed; `MemberLookup` says what is accepted.
  /// - Returns: The member, in the spelling that the tallies keep.
  /// - Throws: `ClubError.ambiguousMember`, `ClubError.noSuchMember`.
  public func member(named name: String) throws(ClubError) -> MemberIdentity {
    try MemberLookup((members + gone).map(\.member)).member(named: name)
  }
}

extension ClubHistory {
  /// The member of a name among those with activities in any week known.
  ///
  /// - Parameter name: What was typed; `MemberLookup` says what is accepted.
  /// - Returns: The member, in the spelling that the tallies keep.
  /// - Throws: `ClubError.ambiguousMember`, `ClubError.noSuchMember`.
  public func member(named name: String) throws(ClubError) -> MemberIdentity {
    try MemberLookup(weeks.flatMap { $0.tally.entries.map(\.member) }).member(named: name)
  }
}
