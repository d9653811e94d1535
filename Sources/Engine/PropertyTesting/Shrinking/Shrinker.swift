// SPDX-License-Identifier: Apache-2.0
/// Simplifies a failing case until no edit that it tries fails in the same way.
///
/// It edits the choice sequence, lets the generators make a case from the edited choice sequence, and keeps that case
/// if it is simpler and still fails. Every candidate is therefore a case that the generators can make, and no case is
/// evaluated twice.
///
/// Source of the approach: MacIver and Donaldson, "Test-case reduction via test-case generation", ECOOP 2020; most of
/// the passes and the alignment by span are our own.
struct Shrinker: ~Copyable {
  struct Result: Sendable {
    let choices: ChoiceSequence
    let failure: Failure
    let evaluations: Int
    /// True if no simpler candidate fails; otherwise the limit, the time or an interruption ended the search.
    let isFinished: Bool
  }

  private let trial: Trial
  private let limit: Int
  /// The number of cases evaluated until one failed.
  private let casesUntilFound: Int
  private let cutoff: Cutoff
  private var draws: ChoiceSource
  /// The simplest failing case so far.
  private(set) var layout: ChoiceLayout
  private var best: ChoiceSequence
  private var failure: Failure
  private var evaluations = 1
  /// The number of evaluations when the best case was found.
  private var evaluationsOfBest = 1
  /// The number of times in a row that a simpler case had as many choices.
  private var steps = 0
  /// The most complicated candidate that passed.
  private var passing: ChoiceSequence?
  private var evaluated: Set<Fingerprint> = []
  private var edited: Set<Fingerprint> = []
  /// For every pass, the case on which it found nothing more.
  private var settled: [ChoiceSequence?]
  /// The number of times that each general move has helped.
  private var helped = Array(repeating: 0, count: GeneralMove.allCases.count)

  init(
    _ trial: Trial, _ choices: ChoiceSequence, _ failure: Failure, casesUntilFound: Int, limit: Int,
    draws: consuming ChoiceSource,
    cutoff: Cutoff
  ) {
    (self.trial, self.limit, self.failure, self.cutoff) = (trial, limit, failure, cutoff)
    self.casesUntilFound = casesUntilFound
    (best, layout) = (choices, ChoiceLayout(choices))
    self.draws = draws
    evaluated.insert(Fingerprint(choices.entries))
    settled = Array(repeating: nil, count: Self.passes.count)
  }

  /// True if the body draws: the arguments alone then do not identify a case.
  private var drawsInBody: Bool { layout.matches.first.map { $0 + 1 < layout.entries.count } ?? false }

  private var isOver: Bool { evaluations >= limit || cutoff.isReached }

  /// Returns true if the general moves have used their share of evaluations since they last helped: a quarter of those
  /// that shrinking took until then, two for each number, and more for rare failures, because few simpler cases fail
  /// then and they are far apart. A case of one number has few simpler values: if failing values are scattered, they
  /// get still more, and if they begin at a threshold, none. The first round is always complete.
  private func isSpent(_ effort: Int) -> Bool {
    let numbers = layout.choices.count {
      layout.entries[$0].tag != .length && layout.entries[$0].lower < layout.entries[$0].upper
    }
    let (rare, isTooLarge) = casesUntilFound.multipliedReportingOverflow(
      by: numbers == 1 ? (isScattered ? 256 : 0) : 24)
    return effort > GeneralMove.efforts[0] && !isTooLarge
      && evaluations - evaluationsOfBest > evaluationsOfBest / 4 + 2 * numbers + rare
  }

  /// True unless several failing cases of one shape were found, each simpler than the last, and no passing case between
  /// them: failing values then seem to begin at a threshold.
  private var isScattered: Bool { steps < 4 || passing.map { best.isSimpler(than: $0) } ?? false }

  mutating func run() -> Result {
    _ = consider([])
    dropParts()
    // A rare failure becomes rarer with fewer choices: irrelevant runs are removed before single choices are tried.
    while isRare, make(.deleteRun, effort: 2 * GeneralMove.efforts[1]) {}
    repeat { settle() } while GeneralMove.efforts.contains { generalise(effort: $0) }
    return Result(choices: best, failure: failure, evaluations: evaluations, isFinished: !isOver)
  }

  /// True if failures are so rare that a shorter case does not fail by chance.
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

  /// Applies the general moves of one effort, beginning with those that have helped most in this case, until one helps;
  /// then continues in the same direction.
  private mutating func generalise(effort: Int) -> Bool {
    // Moves that delete or redraw cost most where they find nothing.
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

  /// Redraws parts of the case at random, without the first elements of collections: a target that no small change
  /// reaches, such as another text with the same hash, may be frequent enough to be found.
  private mutating func redraw(_ effort: Int) -> Bool {
    var edits: [[ChoiceEntry]] = []
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
        edited.replaceSubrange(layout.slot(span), with: ChoiceSequence.redrawPlaceholder)
        edits.append(edited)
      }
    }
    guard !edits.isEmpty else { return false }
    for turn in 0..<min(effort / 3, 300_000 / max(1, layout.entries.count)) where !isOver && !isSpent(effort) {
      if consider(edits[turn % edits.count], gap: .random) { return true }
    }
    return false
  }

  /// The passes, beginning with those that remove most. Moving pairs is the most expensive: it waits until these have
  /// run twice, but no longer, because in them numbers that restrict each other decrease only by single steps.
  private static let passes: [@Sendable (inout Shrinker) -> Void] = [
    { $0.dropParts() }, { $0.descend() }, { $0.lowerBranches() }, { $0.zeroRuns() }, { $0.mergeSiblings() },
    { $0.lowerDuplicates() }, { $0.lowerChoices() }, { $0.reorder() },
  ]

  /// Runs every pass that has not run on the current case already.
  private mutating func runPasses() {
    for (index, pass) in Self.passes.enumerated() where settled[index] != best && !isOver {
      let before = best
      pass(&self)
      if before == best { settled[index] = best }
    }
  }

  // MARK: Candidates

  /// Evaluates the case of edited choices, and keeps it if it is simpler than the best and fails in the same way.
  mutating func consider(_ entries: [ChoiceEntry], gap: ChoiceSource.Gap = .simplest) -> Bool {
    guard !isOver, gap == .random || edited.insert(Fingerprint(entries)).inserted else { return false }
    draws.begin(reading: ChoiceSequence(entries), gap: gap)
    if gap == .random { draws.profile.change(&draws.words) }
    var made = ChoiceSequence()
    let (current, drawsInBody, givens) = (best, drawsInBody, best.givens)
    var known = evaluated
    evaluated = []
    var isRun = false
    let verdict = trial.attempt(&draws) { draws in
      made = draws.choices
      // A given value is a single choice, but its size is arbitrary.
      isRun =
        made.isSimpler(than: current) && made.givens <= givens
        && (drawsInBody || known.insert(Fingerprint(made.entries)).inserted)
      return isRun
    }
    evaluated = known
    if isRun, verdict != .declined { evaluations += 1 }
    if isRun, verdict == .passed, passing?.isSimpler(than: made) ?? true { passing = made }
    guard case .failed(let found) = verdict, found.origin == failure.origin else { return false }
    if draws.isInBody || drawsInBody {
      made = draws.choices
      guard made.isSimpler(than: current) else { return false }
    }
    failure = found
    steps = made.entries.count == best.entries.count ? steps + 1 : 0
    best = made
    layout = ChoiceLayout(made)
    evaluationsOfBest = evaluations
    return true
  }

  /// The choice sequence that the generators make from edited choices, without evaluating it; `nil` if they cannot, or
  /// the search is over.
  mutating func probe(_ entries: [ChoiceEntry]) -> ChoiceSequence? {
    if isOver { return nil }
    draws.begin(reading: ChoiceSequence(entries))
    var made: ChoiceSequence?
    _ = trial.attempt(&draws) { draws in
      made = draws.choices
      return false
    }
    return made
  }

  mutating func wouldBeSimpler(_ entries: [ChoiceEntry]) -> Bool { probe(entries)?.isSimpler(than: best) ?? false }

  mutating func consider(values: [(index: Int, value: UInt64)]) -> Bool {
    var entries = layout.entries
    for (index, value) in values {
      guard entries[index].allows(value) else { return false }
      entries[index].value = value
    }
    return consider(entries)
  }
}

/// A 128-bit hash of a sequence of entries, so that the set of known cases needs little memory.
struct Fingerprint: Hashable, Sendable {
  private let high: UInt64
  private let low: UInt64

  /// - Complexity: O(n); two multiplications an entry.
  init(_ entries: [ChoiceEntry]) {
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
