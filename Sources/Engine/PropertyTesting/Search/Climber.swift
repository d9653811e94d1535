// SPDX-License-Identifier: GPL-3.0-or-later
internal import Randomness

/// Climbs towards high scores: keeps the best cases and proposes changed copies of them.
///
/// It lives for one block, so what it does follows from the block's stream alone. One case in four stays
/// independent, so a search that climbs the wrong hill still sees the rest.
struct Climber: Sendable {
  private var pools: [ScorePool] = []
  private var turn = 0
  /// What the case in hand was made of: the pool, and the step that was taken.
  private var proposal: (pool: Int, step: TapeStep)?

  /// A changed copy of a good case; nil when the next case is to be independent.
  mutating func propose(_ words: inout WordStream) -> Tape? {
    turn += 1
    proposal = nil
    guard !pools.isEmpty, turn & 3 != 0 else { return nil }
    let pool = turn / 4 % pools.count
    let parent = pools[pool].parent(&words)
    let step = pools[pool].step(&words) ?? TapeStep.random(on: parent, &words)
    guard let step, let changed = step.applied(to: parent, &words) else { return nil }
    proposal = (pool, step)
    return changed
  }

  /// Takes in the scores of a case that passed.
  mutating func learn(_ tape: Tape, _ scores: [(label: String, score: Double)]) {
    for entry in scores {
      let pool = pools.firstIndex { $0.label == entry.label } ?? pools.count
      if pool == pools.count { pools.append(ScorePool(entry.label)) }
      let step = proposal?.pool == pool ? proposal?.step : nil
      pools[pool].add(tape, entry.score, after: step)
    }
  }
}

/// The best cases by one score.
struct ScorePool: Sendable {
  private static let size = 8

  let label: String
  /// The highest score first; of equal ones the latest, so that a search can drift along a plateau.
  private var entries: [(score: Double, tape: Tape)] = []
  /// What raised the best score last, worth trying again from there.
  private var momentum: TapeStep?

  init(_ label: String) {
    self.label = label
  }

  /// The best case three times in four, else any of the pool.
  func parent(_ words: inout WordStream) -> Tape {
    if momentum != nil { return entries[0].tape }
    let word = words.next()
    let index = word & 3 == 0 ? Int(word >> 2) % entries.count : 0
    return entries[index].tape
  }

  /// A step that has just helped, twice as long; used once.
  mutating func step(_ words: inout WordStream) -> TapeStep? {
    defer { momentum = nil }
    return momentum?.doubled
  }

  mutating func add(_ tape: Tape, _ score: Double, after step: TapeStep?) {
    let best = entries.first?.score ?? -.infinity
    let place = entries.firstIndex { $0.score <= score } ?? entries.count
    guard place < Self.size else { return }
    entries.insert((score, tape), at: place)
    if entries.count > Self.size { entries.removeLast() }
    if score > best { momentum = step }
  }
}
