// SPDX-License-Identifier: GPL-3.0-or-later
/// Makes a failing case simpler until no edit that it tries fails in the same way.
///
/// It edits the tape, has the generators make a case of the edited tape, and keeps that case if it is simpler and
/// still fails. So every candidate is a case that the generators can make, and no case is evaluated twice.
///
/// Source of the approach: MacIver and Donaldson, "Test-case reduction via test-case generation", ECOOP 2020; most of
/// the passes and the alignment by span are our own.
struct Shrinker: ~Copyable {
  struct Result: Sendable {
    let tape: Tape
    let failure: Failure
    let evaluations: Int
    /// Whether nothing simpler that it tries fails; otherwise the limit, the time or an interruption ended it.
    let isFinished: Bool
  }

  private let trial: Trial
  private let limit: Int
  /// How many cases were evaluated until one failed.
  private let casesUntilFound: Int
  private let cutoff: Cutoff
  private var draws: Draws
  /// The simplest failing case so far.
  private(set) var layout: TapeLayout
  private var best: Tape
  private var failure: Failure
  private var evaluations = 1
  /// How many evaluations there had been when the best was found.
  private var evaluationsOfBest = 1
  private var evaluated: Set<Fingerprint> = []
  private var edited: Set<Fingerprint> = []
  /// For every pass the case on which it found nothing more.
  private var settled: [Tape?]
  /// How often every general move has helped.
  private var helped = Array(repeating: 0, count: GeneralMove.allCases.count)

  init(
    _ trial: Trial, _ tape: Tape, _ failure: Failure, casesUntilFound: Int, limit: Int, draws: consuming Draws,
    cutoff: Cutoff
  ) {
    (self.trial, self.limit, self.failure, self.cutoff) = (trial, limit, failure, cutoff)
    self.casesUntilFound = casesUntilFound
    (best, layout) = (tape, TapeLayout(tape))
    self.draws = draws
    evaluated.insert(Fingerprint(tape.entries))
    settled = Array(repeating: nil, count: Self.passes.count)
  }

  /// Whether the body draws: then the arguments alone do not tell one case from another.
  private var drawsInBody: Bool { layout.matches.first.map { $0 + 1 < layout.entries.count } ?? false }

  private var isOver: Bool { evaluations >= limit || cutoff.isReached }

  /// Whether the general moves have had their share since they last helped: as many evaluations as shrinking took until
  /// then, and more the rarer failures are, because few simpler cases fail then and they lie far from each other;
  /// of a case of one number, whose simpler values are few, still more. The first round is always made in full.
  private func isSpent(_ effort: Int) -> Bool {
    let isOneNumber =
      layout.choices.count { layout.entries[$0].tag == .integer && layout.entries[$0].lower < layout.entries[$0].upper }
      == 1
    let (rare, isTooLarge) = casesUntilFound.multipliedReportingOverflow(by: isOneNumber ? 256 : 16)
    return effort > GeneralMove.efforts[0] && !isTooLarge
      && evaluations - evaluationsOfBest > 100 + evaluationsOfBest + rare
  }

  mutating func run() -> Result {
    _ = consider([])
    dropParts()
    // What is rare gets rarer with fewer choices: what they have in common goes before they are looked at one by one.
    while isRare, make(.deleteRun, effort: 2 * GeneralMove.efforts[1]) {}
    repeat { settle() } while GeneralMove.efforts.contains { generalise(effort: $0) }
    return Result(tape: best, failure: failure, evaluations: evaluations, isFinished: !isOver)
  }

  /// Whether failures are so rare that a shorter case does not fail by chance.
  private var isRare: Bool { casesUntilFound > 16 }

  /// Runs the passes until none finds anything more.
  private mutating func settle() {
    var rounds = 0
    while !isOver {
      let before = best
      runPasses()
      if before != best { runPasses() }
      movePairs()
      if before == best { lowerByPeriods() }
      if before == best { break }
      rounds += 1
      if rounds > 1 { extrapolate(from: before) }
    }
  }

  /// Makes the general moves of one effort, those first that have helped most in this case, until one helps; then goes
  /// on the same way as far as it leads.
  private mutating func generalise(effort: Int) -> Bool {
    // What deletes or redraws costs most where nothing is found.
    let isCurbed = effort == GeneralMove.efforts.last && helped.allSatisfy { $0 == 0 }
    for move in GeneralMove.allCases.sorted(by: {
      (helped[$1.rawValue], $0.rawValue) < (helped[$0.rawValue], $1.rawValue)
    })
    where !isOver && !isSpent(effort) && !(isCurbed && move == .deleteAndAdjust) {
      if make(move, effort: effort) { return true }
    }
    return !isCurbed && redraw(effort)
  }

  private mutating func make(_ move: GeneralMove, effort: Int) -> Bool {
    let before = best
    let edits = move.edits(of: layout, effort: effort) { probe($0) }
    guard edits.contains(where: { !isSpent(effort) && consider($0.entries) }) else { return false }
    helped[move.rawValue] += 1
    extrapolate(from: before)
    return true
  }

  /// Draws parts of the case at random, the first ones of collections left out: what no small change leads to, such as
  /// another text of the same hash, may be frequent enough to be met.
  private mutating func redraw(_ effort: Int) -> Bool {
    var edits: [[TapeEntry]] = []
    for span in layout.spans {
      let slots = layout.children(of: span)
      guard let first = slots.first else { continue }
      let entry = layout.entries[first]
      if entry.tag == .length || entry.tag == .branch, entry.value > entry.lower {
        for value in Set([entry.value - 1, entry.lower + (entry.value - entry.lower) / 2, entry.value]).sorted() {
          var edited = layout.entries
          edited.replaceSubrange(layout.slot(span), with: [layout.entries[span], entry.with(value), .close])
          edits.append(edited)
        }
      } else {
        var edited = layout.entries
        edited.replaceSubrange(layout.slot(span), with: Tape.redrawPlaceholder)
        edits.append(edited)
      }
    }
    guard !edits.isEmpty else { return false }
    for turn in 0..<min(effort / 3, 300_000 / max(1, layout.entries.count)) where !isOver && !isSpent(effort) {
      if consider(edits[turn % edits.count], gap: .random) { return true }
    }
    return false
  }

  /// The passes, those first that take most away. Moving pairs costs most: it waits until these
  /// have been run twice, but no longer, because numbers that hold each other up creep down by single steps in them.
  private static let passes: [@Sendable (inout Shrinker) -> Void] = [
    { $0.dropParts() }, { $0.descend() }, { $0.lowerBranches() }, { $0.zeroRuns() }, { $0.mergeSiblings() },
    { $0.lowerDuplicates() }, { $0.lowerChoices() }, { $0.reorder() },
  ]

  /// Runs every pass, unless it has run on the very same case already.
  private mutating func runPasses() {
    for (index, pass) in Self.passes.enumerated() where settled[index] != best && !isOver {
      let before = best
      pass(&self)
      if before == best { settled[index] = best }
    }
  }

  // MARK: Candidates

  /// Evaluates what the generators make of edited choices, and keeps it if it is simpler than the best and fails alike.
  mutating func consider(_ entries: [TapeEntry], gap: Draws.Gap = .simplest) -> Bool {
    guard !isOver, gap == .random || edited.insert(Fingerprint(entries)).inserted else { return false }
    draws.begin(reading: Tape(entries), gap: gap)
    if gap == .random { draws.profile.change(&draws.words) }
    var made = Tape()
    let (current, drawsInBody, givens) = (best, drawsInBody, best.givens)
    var known = evaluated
    evaluated = []
    var isRun = false
    let verdict = trial.attempt(&draws) { draws in
      made = draws.tape
      // A given value is one choice, but it can be as large as any.
      isRun =
        made.isSimpler(than: current) && made.givens <= givens
        && (drawsInBody || known.insert(Fingerprint(made.entries)).inserted)
      return isRun
    }
    evaluated = known
    if isRun, verdict != .declined { evaluations += 1 }
    guard case .failed(let found) = verdict, found.origin == failure.origin else { return false }
    if draws.isInBody || drawsInBody {
      made = draws.tape
      guard made.isSimpler(than: current) else { return false }
    }
    failure = found
    best = made
    layout = TapeLayout(made)
    evaluationsOfBest = evaluations
    return true
  }

  /// The tape that the generators make of edited choices, without evaluating it; nil when they cannot, or the search is
  /// over.
  mutating func probe(_ entries: [TapeEntry]) -> Tape? {
    if isOver { return nil }
    draws.begin(reading: Tape(entries))
    var made: Tape?
    _ = trial.attempt(&draws) { draws in
      made = draws.tape
      return false
    }
    return made
  }

  mutating func wouldBeSimpler(_ entries: [TapeEntry]) -> Bool { probe(entries)?.isSimpler(than: best) ?? false }

  mutating func consider(values: [(index: Int, value: UInt64)]) -> Bool {
    var entries = layout.entries
    for (index, value) in values {
      guard entries[index].allows(value) else { return false }
      entries[index].value = value
    }
    return consider(entries)
  }
}

/// 128 bits that stand for a sequence of entries, so that the cases already seen need little room.
struct Fingerprint: Hashable, Sendable {
  private let high: UInt64
  private let low: UInt64

  /// - Complexity: O(n); two multiplications an entry.
  init(_ entries: [TapeEntry]) {
    var high: UInt64 = 0x9e37_79b9_7f4a_7c15
    var low: UInt64 = 0xc2b2_ae3d_27d4_eb4f
    for entry in entries {
      let word = entry.value ^ UInt64(entry.tag.rawValue) << 59
      let product = (low ^ word).multipliedFullWidth(by: 0xd6e8_feb8_6659_fd93)
      low = product.low ^ high
      high = (high ^ word &+ product.high) &* 0xff51_afd7_ed55_8ccd
      high ^= high >> 32
    }
    self.high = high
    self.low = low
  }
}
