// SPDX-License-Identifier: Apache-2.0
internal import CCoverage
internal import SeededWords

/// The edges that instrumented code under test takes in a case, and the operands of its comparisons.
///
/// Only the thread that evaluates the case is recorded, so that concurrent cases are separated.
@safe
private final class Recorder {
  struct Comparison: Hashable {
    let left: UInt64
    let right: UInt64
    let size: UInt32
  }

  private let recording: OpaquePointer

  /// `nil` if no code of the process is instrumented.
  init?() {
    guard assay_coverage_edges() > 0, let recording = unsafe assay_recording_make() else { return nil }
    unsafe self.recording = recording
  }

  deinit { unsafe assay_recording_free(recording) }

  func start() { unsafe assay_recording_start(recording) }
  func stop() { assay_recording_stop() }

  /// The distinct comparisons, in order.
  var comparisons: [Comparison] {
    var seen: Set<Comparison> = []
    let count = unsafe assay_recording_comparisons(recording)
    return (0..<count).map { index in
      unsafe Comparison(
        left: assay_recording_left(recording, index), right: assay_recording_right(recording, index),
        size: assay_recording_size(recording, index))
    }.filter { seen.insert($0).inserted }
  }

  /// Visits the edges with their counts until `visit` returns false.
  func forEachEdge(_ visit: (_ step: EdgeCount) -> Bool) {
    let count = unsafe assay_recording_edges(recording)
    for index in 0..<count {
      let step = unsafe EdgeCount(
        edge: assay_recording_edge(recording, index), count: assay_recording_count(recording, index))
      guard visit(step) else { return }
    }
  }
}

/// A search guided by the behaviour of instrumented code under test.
///
/// An operand of a comparison that equals a value of the case suggests the other operand for its position on the choice
/// sequence. Cases that take an edge for the first time, or in a higher class of counts than before, are kept and
/// changed further. An instance serves one block, so its behaviour depends only on the block's stream and its initial
/// corpus, at any number of jobs.
///
/// Sources: Aschermann et al., "REDQUEEN: fuzzing with input-to-state correspondence", NDSS 2019; the classes of
/// counts are those of AFL.
struct Guidance {
  /// The number of edges of the instrumented code; 0 without any.
  static var edges: Int { Int(assay_coverage_edges()) }

  /// The reason why no search can be guided; `nil` if one can.
  static var obstacle: String? { obstacle(assay_coverage_find_fault()) }

  static func obstacle(_ fault: assay_coverage_fault) -> String? {
    switch fault {
    case assay_no_fault: nil
    case assay_edges_unseen:
      "instrumented code counts its edges where the engine does not see them; give it"
        + " -sanitize-coverage=edge,trace-pc-guard,trace-cmp as well, as docs/properties.md has it"
    case assay_hooks_replaced:
      "another runtime has taken the place of the engine's hooks; link without -sanitize=fuzzer"
    default:
      "no module of this program is instrumented; scripts/assay-guided builds one, and docs/properties.md has the flags"
    }
  }

  private let recorder: Recorder
  /// The cases kept in the block; it begins empty, because new cases are the most promising.
  private(set) var corpus: GuidedCorpus
  /// The number of edges of the stored cases; `nil` while some are untried.
  private(set) var known: Int?
  private var proposals: [ChoiceSequence] = []
  private var proposed: Set<Fingerprint> = []
  private var turn = 0

  /// The cases kept before the block.
  private let earlier: [GuidedCase]
  /// The earlier cases whose operands are read again, in reverse order.
  private var parents: [ChoiceSequence]
  private var isParent = false

  /// `nil` if no code is instrumented.
  init?(from corpus: GuidedCorpus?, block: Int, triesStored: Bool) {
    guard let cases = corpus?.cases, let empty = GuidedCorpus(edges: Self.edges), let recorder = Recorder() else {
      return nil
    }
    (self.recorder, self.corpus, known) = (recorder, empty, triesStored ? nil : 0)
    // The blocks of a wave share the earlier cases, the latest ones first, so that their consequences are not lost.
    let indices = stride(
      from: cases.count - 1 - block % CheckPlan.blocksOfWave, through: 0, by: -CheckPlan.blocksOfWave)
    parents = indices.prefix(4).map { cases[$0].choices }.reversed()
    earlier = cases
  }

  /// Records that all stored cases have been tried.
  mutating func hasTriedStored() { if known == nil { known = corpus.reached } }

  func start() { recorder.start() }
  func stop() { recorder.stop() }

  /// A changed copy of an earlier case; `nil` if the next case must be independent, at least one in three.
  mutating func propose(_ words: inout MersenneTwister) -> ChoiceSequence? {
    turn += 1
    isParent = false
    if turn % 3 == 0 { return nil }
    if proposals.isEmpty, let next = parents.popLast() {
      isParent = true
      return next
    }
    // Operands never run out, so the kept cases have separate turns.
    if turn % 6 != 1 || corpus.cases.isEmpty { return proposals.popLast() }
    let word = words.next()
    let parent = parent(word >> 1).choices
    let echo = word & 1 == 0 ? ChoiceStep.echo(on: parent, &words) : nil
    return (echo ?? ChoiceStep.random(on: parent, &words))?.applied(to: parent)
  }

  /// A case to change: half of the time the latest one of the block or of those before it, because the latest are the
  /// least explored.
  private func parent(_ word: UInt32) -> GuidedCase {
    let kept = corpus.cases
    let count = earlier.count + kept.count
    let index =
      switch word & 3 {
      case 0: count - 1
      case 1: max(0, earlier.count - 1)
      default: Int(word >> 2) % count
      }
    return index < earlier.count ? earlier[index] : kept[index - earlier.count]
  }

  /// True if the recorded case took an edge for the first time, or in a higher class of counts than before.
  var seesNew: Bool {
    var isNew = false
    recorder.forEachEdge { step in
      isNew = !corpus.hasSeen(step)
      return !isNew
    }
    return isNew
  }

  /// Adds a recorded case that passed.
  mutating func learn(_ choices: @autoclosure () -> ChoiceSequence, isNew: Bool) {
    let isSource = isNew || isParent
    isParent = false
    guard isSource || proposals.isEmpty else { return }
    let choices = choices()
    if isNew {
      var steps: [EdgeCount] = []
      recorder.forEachEdge { step in
        steps.append(step)
        return true
      }
      corpus.add(GuidedCase(choices: choices, steps: steps))
    }
    let wanted = suggestions(for: choices, recorder.comparisons)
      .filter { proposed.insert(Fingerprint($0.entries)).inserted }.prefix(isSource ? 64 : 8)
    if isSource { proposals = Array(proposals.suffix(256)) }
    proposals += wanted.reversed()
    if proposed.count > 100_000 { proposed = [] }
  }

  // MARK: Operands

  private func suggestions(for choices: ChoiceSequence, _ comparisons: [Recorder.Comparison]) -> [ChoiceSequence] {
    let positions = choices.entries.indices.filter {
      choices.entries[$0].tag == .integer && choices.entries[$0].lower < choices.entries[$0].upper
    }
    .prefix(128)
    var (equal, shifted): ([ChoiceSequence], [ChoiceSequence]) = ([], [])
    func suggest(_ values: [(index: Int, number: UInt64)], to list: inout [ChoiceSequence]) {
      var entries = choices.entries
      for (index, number) in values {
        let value = number &+ entries[index].zero
        guard entries[index].allows(value) else { return }
        entries[index].value = value
      }
      if entries != choices.entries { list.append(ChoiceSequence(entries)) }
    }
    for comparison in comparisons {
      let mask = comparison.size >= 8 ? UInt64.max : 1 << UInt64(8 * comparison.size) - 1
      for (from, to) in [(comparison.left, comparison.right), (comparison.right, comparison.left)] {
        let spare = UInt64(64 - 8 * min(8, comparison.size))
        let signed = UInt64(bitPattern: Int64(bitPattern: to << spare) >> Int64(spare))
        for index in positions {
          let number = choices.entries[index].value &- choices.entries[index].zero
          if number & mask == from & mask {
            suggest([(index, to)], to: &equal)
            if signed != to { suggest([(index, signed)], to: &equal) }
          } else if number.byteSwapped >> spare == from & mask {
            suggest([(index, to.byteSwapped >> spare)], to: &equal)
          } else if positions.count <= 8 {
            suggest([(index, number &+ to &- from)], to: &shifted)
          }
        }
        for run in bytes(of: from, count: Int(comparison.size), in: choices, positions) {
          suggest(run.enumerated().map { ($1, to >> UInt64(8 * $0) & 255) }, to: &equal)
        }
      }
    }
    return equal + shifted
  }

  /// The runs of bytes in the choice sequence that represent a number, each beginning with the lowest byte.
  private func bytes(
    of number: UInt64, count: Int, in choices: ChoiceSequence, _ positions: some RandomAccessCollection<Int>
  )
    -> [[Int]]
  {
    guard count > 1, positions.count >= count else { return [] }
    let positions = Array(positions)
    var runs: [[Int]] = []
    for start in 0...(positions.count - count) {
      let run = Array(positions[start..<(start + count)])
      for order in [run, run.reversed()] {
        let isEqual = order.enumerated().allSatisfy { position, index in
          choices.entries[index].upper &- choices.entries[index].lower == 255
            && choices.entries[index].value &- choices.entries[index].zero == number >> UInt64(8 * position) & 255
        }
        if isEqual { runs.append(order) }
      }
    }
    return runs
  }
}
