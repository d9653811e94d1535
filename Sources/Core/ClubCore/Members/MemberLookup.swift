// SPDX-License-Identifier: Apache-2.0

/// Finds members by a typed name.
package struct MemberLookup: Sendable {
  private let members: [MemberIdentity]
  /// The members' names, normalised.
  private let folded: [String]

  /// A lookup among the distinct members of a sequence.
  package init(_ members: some Sequence<MemberIdentity>) {
    var spellings: [MemberIdentity: MemberIdentity] = [:]
    for member in members { spellings[member] = spellings[member]?.settled(with: member) ?? member }
    self.members = spellings.values.sorted { $0.precedes($1) }
    folded = self.members.map { Self.folded($0.name.description) }
  }

  package func member(named name: String) throws(ClubError) -> MemberIdentity {
    let asked = Self.folded(name)
    // The cheap comparison comes first, because most people type a whole name.
    let ways: [(Int) -> Bool] = [
      { members[$0].name.description == name }, { folded[$0] == asked },
      { members[$0].token != nil && Self.folded(Self.label(members[$0])) == asked },
      { folded[$0].hasPrefix(asked) && Self.folded(members[$0].name.first) == asked },
    ]
    for way in ways where !asked.isEmpty {
      let found = members.indices.filter(way).map { members[$0] }
      if found.count == 1 { return found[0] }
      if found.count > 1 { throw .ambiguousMember(name: name, members: Self.labels(found)) }
    }
    throw .noSuchMember(name: name, nearest: nearest(to: asked))
  }

  /// The labels of members; for more than ten the first nine, and the number of the others.
  private static func labels(_ members: [MemberIdentity]) -> [String] {
    guard members.count > 10 else { return members.map(label) }
    return members.prefix(9).map(label) + ["\(members.count - 9) others"]
  }

  /// The name, with the token in parentheses if there is one.
  private static func label(_ member: MemberIdentity) -> String {
    member.name.shown(.full) + (member.token.map { " (\($0.value))" } ?? "")
  }

  /// The words in lower case without full stops.
  private static func folded(_ text: String) -> String {
    text.lowercased().filter { $0 != "." }.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// The three nearest names within half of the typed length, best first, then by name. A single typed name is also
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

  /// The distance of a name from the typed text; `nil` beyond the reach.
  private static func distance(_ asked: [Character], _ name: String, within reach: Int) -> Int? {
    let letters = Array(name.prefix(longest))
    guard abs(letters.count - asked.count) <= reach else { return nil }
    let distance = EditDistance.between(asked, letters)
    return distance <= reach ? distance : nil
  }

  /// The largest compared length: of longer names only the beginning is compared, which bounds the time.
  private static let longest = 64
}

extension ClubHistory {
  /// The member with a name among those with activities in any known week; case, redundant spaces and full stops are
  /// ignored: `tom b` is `Tom B.` A first name alone finds its only member. A token in parentheses after the name
  /// selects its member: `Tom B. (1234)`.
  ///
  /// - Throws: `ClubError.ambiguousMember` if several members match, `ClubError.noSuchMember` with the nearest names if
  ///   none does.
  public func member(named name: String) throws(ClubError) -> MemberIdentity {
    try MemberLookup(weeks.flatMap { $0.tally.entries.map(\.member) }).member(named: name)
  }
}

/// The edit distance of words.
private enum EditDistance {
  /// The least number of letters inserted, deleted, changed or swapped with their neighbour that turns one word into
  /// the other, each letter edited at most once: the optimal string alignment.
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
