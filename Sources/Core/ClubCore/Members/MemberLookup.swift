// SPDX-License-Identifier: Apache-2.0

/// Finds members by what a person types.
package struct MemberLookup: Sendable {
  private let members: [MemberIdentity]
  /// Their names, folded.
  private let folded: [String]

  /// A lookup among some members, each of whom counts once.
  package init(_ members: some Sequence<MemberIdentity>) {
    var spellings: [MemberIdentity: MemberIdentity] = [:]
    for member in members { spellings[member] = spellings[member]?.settled(with: member) ?? member }
    self.members = spellings.values.sorted { $0.precedes($1) }
    folded = self.members.map { Self.folded($0.name.description) }
  }

  package func member(named name: String) throws(ClubError) -> MemberIdentity {
    let asked = Self.folded(name)
    // The one way that costs little comes first: nearly everybody types a whole name.
    let ways: [(Int) -> Bool] = [
      { folded[$0] == asked }, { members[$0].token != nil && Self.folded(Self.label(members[$0])) == asked },
      { folded[$0].hasPrefix(asked) && Self.folded(members[$0].name.first) == asked },
    ]
    for way in ways where !asked.isEmpty {
      let found = members.indices.filter(way).map { members[$0] }
      if found.count == 1 { return found[0] }
      if found.count > 1 { throw .ambiguousMember(name: name, members: Self.labels(found)) }
    }
    throw .noSuchMember(name: name, nearest: nearest(to: asked))
  }

  /// Some names; of more than ten the first, and how many others there are.
  private static func labels(_ members: [MemberIdentity]) -> [String] {
    guard members.count > 10 else { return members.map(label) }
    return members.prefix(9).map(label) + ["\(members.count - 9) others"]
  }

  /// The name, with the token in parentheses where there is one.
  private static func label(_ member: MemberIdentity) -> String {
    member.name.shown(.full) + (member.token.map { " (\($0.value))" } ?? "")
  }

  /// Words in lower case without full stops.
  private static func folded(_ text: String) -> String {
    text.lowercased().filter { $0 != "." }.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// The three nearest names within half of what was typed, best first, then by name. Who types a first name alone is
  /// compared with first names.
  private func nearest(to asked: String) -> [String] {
    let asked = Array(asked.prefix(Self.longest))
    let (reach, reachOfFirst) = (max(2, asked.count / 2), max(1, asked.count / 2))
    var (found, seen) = ([(distance: Int, name: String)](), Set<String>())
    for (member, name) in zip(members, folded) {
      let first = Self.folded(member.name.first)
      let distances = [Self.distance(asked, name, within: reach), Self.distance(asked, first, within: reachOfFirst)]
      guard let distance = distances.compactMap(\.self).min() else { continue }
      let name = member.name.shown(.full)
      if seen.insert(name).inserted { found.append((distance, name)) }
    }
    return found.enumerated().sorted { ($0.element.distance, $0.offset) < ($1.element.distance, $1.offset) }.prefix(3)
      .map(\.element.name)
  }

  /// How far a name is from what was typed; nil beyond the reach.
  private static func distance(_ asked: [Character], _ name: String, within reach: Int) -> Int? {
    let letters = Array(name.prefix(longest))
    guard abs(letters.count - asked.count) <= reach else { return nil }
    let distance = EditDistance.between(asked, letters)
    return distance <= reach ? distance : nil
  }

  /// Longer names are compared by their beginnings alone, so that a name of a million characters costs no more.
  private static let longest = 64
}

extension ClubHistory {
  /// The member of a name among those with activities in any week known, case, idle spaces and full stops aside: `tom
  /// b` is `Tom B.` Without a last name, the one member of that first name. With a token behind the name in
  /// parentheses, that member: `Tom B. (1234)`.
  ///
  /// - Throws: `ClubError.ambiguousMember` where several are meant, `ClubError.noSuchMember` with the nearest names
  ///   where nobody is.
  public func member(named name: String) throws(ClubError) -> MemberIdentity {
    try MemberLookup(weeks.flatMap { $0.tally.entries.map(\.member) }).member(named: name)
  }
}

/// How far two words are from each other.
private enum EditDistance {
  /// The least number of letters put in, left out, changed, or swapped with their neighbour, that makes one word the
  /// other, no letter touched twice: the optimal string alignment.
  ///
  /// - Complexity: O(m n) for words of m and n letters.
  static func between(_ first: [Character], _ second: [Character]) -> Int {
    var (beforeLast, last, row) = ([Int](), Array(0...second.count), [Int](repeating: 0, count: second.count + 1))
    for (i, mine) in first.enumerated() {
      row[0] = i + 1
      for (j, others) in second.enumerated() {
        row[j + 1] = min(last[j] + (mine == others ? 0 : 1), row[j] + 1, last[j + 1] + 1)
        if i > 0, j > 0, mine == second[j - 1], first[i - 1] == others {
          row[j + 1] = min(row[j + 1], beforeLast[j - 1] + 1)
        }
      }
      (beforeLast, last) = (last, row)
    }
    return last[second.count]
  }
}
