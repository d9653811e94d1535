// SPDX-License-Identifier: Apache-2.0

/// The analysis of a failing case: it is run and drawn again to confirm it, shrunk, confirmed once more, and explained.
struct FailureAnalysis: Sendable {
  /// The number of confirmations of a failure: as found and after shrinking.
  private static let confirmations = 2
  /// The number of drawings in each confirmation that check whether the choices determine the case: a generator that
  /// depends on an unrecorded coin toss passes both confirmations once in 2^18.
  private static let drawings = 10

  let trial: Trial
  let settings: CheckSettings
  let argumentNames: [String]
  /// Ends the search for a simpler case and for its irrelevant parts.
  let cutoff: Cutoff

  func examine(_ choices: ChoiceSequence, _ failure: Failure, casesUntilFound: Int) throws -> CheckReport.Outcome {
    let streams = try CheckStreams(settings)
    var draws = try streams.draws(.explaining)
    if let flake = flake(choices, failure, trial.evaluate(choices, &draws), casesUntilFound, &draws) {
      return .flaky(flake)
    }
    let context = CaseContext()
    let recorded = trial.recording(into: context)
    let (start, failure) = drawn(choices, failure, &draws)
    let shrunk = try CaseContext.$current.withValue(context) {
      var shrinker = Shrinker(
        recorded, start, failure, casesUntilFound: casesUntilFound, limit: settings.shrinkLimit,
        draws: try streams.draws(.shrinking), cutoff: cutoff)
      return shrinker.run()
    }
    let noting = CaseContext(keepsNotes: true, showsParts: trial.showsParts)
    let confirmed = trial.evaluate(shrunk.choices, &draws, in: noting)
    if let flake = flake(shrunk.choices, shrunk.failure, confirmed, casesUntilFound, &draws) { return .flaky(flake) }
    let evaluations = shrunk.evaluations + Self.confirmations
    var explainer = Explainer(
      trial: recorded, layout: ChoiceLayout(shrunk.choices), failure: shrunk.failure, argumentNames: argumentNames,
      limit: evaluations, cutoff: cutoff)
    if settings.explains { CaseContext.$current.withValue(context) { explainer.run(&draws) } }
    return .falsified(
      Counterexample(
        arguments: arguments(of: shrunk.choices, &draws), failure: shrunk.failure, choices: shrunk.choices,
        original: choices,
        casesUntilFound: casesUntilFound, evaluations: evaluations, isShrunk: shrunk.isFinished,
        notes: noting.withAnnotations { $0.notes }, irrelevant: explainer.irrelevant,
        explainEvaluations: explainer.evaluations))
  }

  /// The reason to distrust a failure: it was not repeated, or its choices do not determine the case. `nil` if there is
  /// none.
  private func flake(
    _ choices: ChoiceSequence, _ first: Failure, _ second: CaseOutcome, _ casesUntilFound: Int,
    _ draws: inout ChoiceSource
  ) -> FlakyCase? {
    func drawing(_ draws: inout ChoiceSource) -> (arguments: [String], choices: ChoiceSequence) {
      let arguments = arguments(of: choices, &draws)
      return (arguments, draws.choices)
    }
    let drawn = drawing(&draws)
    var redrawn: [String]?
    for count in 1..<Self.drawings where redrawn == nil && (count == 1 || !cutoff.isReached) {
      let other = drawing(&draws)
      if other != drawn { redrawn = other.arguments }
    }
    if redrawn == nil, case .failed(let failure) = second, failure.origin == first.origin { return nil }
    return FlakyCase(
      arguments: drawn.arguments, redrawn: redrawn, first: first, second: second, choices: choices,
      casesUntilFound: casesUntilFound)
  }

  /// A case with given values replaced by generated ones, if that is possible and fails in the same way.
  private func drawn(_ choices: ChoiceSequence, _ failure: Failure, _ draws: inout ChoiceSource) -> (
    ChoiceSequence, Failure
  ) {
    guard choices.givens > 0, !cutoff.isReached else { return (choices, failure) }
    var search = GivenSearch(trial, like: choices, &draws)
    guard let found = search.run(&draws), case .failed(let other) = trial.evaluate(found, &draws),
      other.origin == failure.origin
    else { return (choices, failure) }
    return (found, other)
  }

  private func arguments(of choices: ChoiceSequence, _ draws: inout ChoiceSource) -> [String] {
    draws.begin(reading: choices)
    return trial.describe(&draws)
  }
}

/// Finds the irrelevant parts of a counterexample.
///
/// Every argument, then every part of the relevant ones, is varied while the rest is unchanged: by the simplest value,
/// the ends of its range, values equal to another part or one more or less, and random values. A part is free if all
/// these cases fail in the same way, and also when all free parts found before are drawn again with it. All reported
/// parts may therefore change at the same time, as far as a number of other cases can show.
struct Explainer {
  /// The number of other cases that must all fail in the same way, unless there are fewer. A part that matters for one
  /// random value of five is wrongly considered free with a probability of one in 87.
  static let tries = 20

  let trial: Trial
  let layout: ChoiceLayout
  let failure: Failure
  let argumentNames: [String]
  /// The largest number of runs of the property.
  let limit: Int
  let cutoff: Cutoff
  private(set) var evaluations = 0
  private(set) var drawings = 0
  private(set) var free: [(node: Int, path: String, cases: Int)] = []
  /// The number of cases in which all free parts were drawn again.
  private(set) var jointCases = 0

  /// A sentence for each free part, and one for all of them together if there are several.
  var irrelevant: [String] {
    func others(_ count: Int) -> String { count == 1 ? "the 1 other case tried fails" : "\(count) other cases fail" }
    // Several parts may have the same path.
    let shown = free.indices.filter { index in !free[..<index].contains { $0.path == free[index].path } }
    return shown.map { "\(free[$0].path) can be anything: \(others(free[$0].cases)) alike" }
      + (shown.count < 2 ? [] : ["and all of these at the same time: \(others(jointCases)) alike"])
  }

  /// Drawing costs less than running the property, but not nothing.
  private var isOver: Bool { evaluations >= limit || drawings >= 20 * limit || cutoff.isReached }

  mutating func run(_ draws: inout ChoiceSource) {
    guard !layout.entries.isEmpty else { return }
    let original = outlines(of: ChoiceSequence(layout.entries), &draws)
    var nodes = layout.children(of: 0).map { (part: $0, whole: nil as String?) }
    while !nodes.isEmpty {
      var inner: [(part: Int, whole: String?)] = []
      for (node, whole) in nodes where !isOver {
        if let variants = failing(varying: node, &draws), let path = path(original, variants, &draws), path != whole,
          isFreeWithOthers(node, &draws)
        {
          free.append((node, path, variants.count))
        } else {
          let parts = parts(of: node)
          if parts.isEmpty { continue }
          let whole = reach(of: node, original, &draws)
          inner += parts.map { ($0, whole) }
        }
      }
      nodes = inner
    }
  }

  private mutating func isFreeWithOthers(_ node: Int, _ draws: inout ChoiceSource) -> Bool {
    if free.isEmpty { return true }
    let holed = holed(free.map(\.node) + [node])
    guard let cases = failing([(holed, .simplest)], then: holed, &draws)?.count else { return false }
    jointCases = cases
    return true
  }

  /// The part of an argument that a node affects; nodes inside it that affect the same part have no separate name, so
  /// they are not reported.
  private mutating func reach(of node: Int, _ original: [ValueOutline], _ draws: inout ChoiceSource) -> String? {
    let holed = holed([node])
    var variants: [ChoiceSequence] = []
    for _ in 0..<Self.tries {
      drawings += 1
      draws.begin(reading: holed, gap: .random)
      // A case that cannot be drawn shows no difference.
      if !trial.outline(&draws).isEmpty { variants.append(draws.choices) }
    }
    return path(original, variants, &draws)
  }

  /// The parts of a node that may be drawn again, except those that determine the number or the kind of others.
  private func parts(of node: Int) -> [Int] {
    layout.children(of: node).filter { ![.length, .branch, .given].contains(layout.entries[$0].tag) }
  }

  /// The choices with some nodes replaced by placeholders to draw again.
  private func holed(_ nodes: [Int]) -> ChoiceSequence {
    var entries = layout.entries
    for node in nodes.sorted(by: >) {
      entries.replaceSubrange(layout.slot(node), with: ChoiceSequence.redrawPlaceholder)
    }
    return ChoiceSequence(entries)
  }

  // MARK: Other cases

  /// Cases that differ only in a node and fail in the same way; `nil` if one does not, or too few can be drawn.
  private mutating func failing(varying node: Int, _ draws: inout ChoiceSource) -> [ChoiceSequence]? {
    let holed = holed([node])
    let chosen = substitutes(for: node).map { content in
      var entries = layout.entries
      entries.replaceSubrange(layout.slot(node), with: content)
      return (ChoiceSequence(entries), ChoiceSource.Gap.simplest)
    }
    return failing([(holed, .simplest)] + chosen, then: holed, &draws)
  }

  /// The alternatives for a slot: the contents of others of its kind, the nearest first; for a choice also the values
  /// next to these, and the ends of its range.
  private func substitutes(for node: Int) -> [ArraySlice<ChoiceEntry>] {
    let (entry, slot) = (layout.entries[node], layout.slot(node))
    func byDistance(_ positions: [Int]) -> [Int] { positions.sorted { abs($0 - node) < abs($1 - node) } }
    guard entry.tag.isChoice else {
      let others = layout.spans.filter { other in
        layout.entries[other].value == entry.value && !layout.slot(other).overlaps(slot)
      }
      return byDistance(others).prefix(Self.tries / 2).map { layout.entries[layout.slot($0)] }
    }
    let others = byDistance(layout.choices).filter { $0 != node && layout.entries[$0].hasDomain(of: entry) }
    let equal = others.prefix(Self.tries / 4).map { layout.entries[$0].value }
    let near = equal.flatMap { [$0 &+ 1, $0 &- 1] } + [entry.value &+ 1, entry.value &- 1]
    let edges = [entry.lower, entry.upper]
    return (edges + equal + near).filter(entry.allows).prefix(Self.tries / 2).map { [entry.with($0)] }
  }

  /// Runs distinct cases on some choice sequences and then on random ones: `tries` of them, or all that there are, if
  /// all fail in the same way. `nil` if one does not, or if some cannot be drawn.
  private mutating func failing(
    _ chosen: [(choices: ChoiceSequence, gap: ChoiceSource.Gap)], then holed: ChoiceSequence,
    _ draws: inout ChoiceSource
  ) -> [ChoiceSequence]? {
    var variants: [ChoiceSequence] = []
    var seen: Set = [Fingerprint(layout.entries)]
    var isThinned = false
    for candidate in chosen + Array(repeating: (holed, .random), count: 3 * Self.tries)
    where variants.count < Self.tries {
      if isOver { return nil }
      drawings += 1
      draws.begin(reading: candidate.choices, gap: candidate.gap)
      draws.profile.change(&draws.words)
      var isNew = false
      let verdict = trial.attempt(&draws) { drawn in
        isNew = seen.insert(Fingerprint(drawn.choices.entries)).inserted
        return isNew
      }
      if isNew, verdict != .declined { evaluations += 1 }
      switch verdict {
      case .failed(let other) where other.origin == failure.origin: variants.append(draws.choices)
      case .passed, .failed: return nil
      case .discarded, .generatorFailed: isThinned = true
      case .declined: break
      }
    }
    return variants.isEmpty || isThinned && variants.count < Self.tries ? nil : variants
  }

  /// The smallest part of an argument that contains all differences; `nil` if there are none.
  private func path(_ original: [ValueOutline], _ variants: [ChoiceSequence], _ draws: inout ChoiceSource) -> String? {
    var common: (argument: Int, path: [String])?
    for variant in variants {
      for (argument, outline) in outlines(of: variant, &draws).enumerated() where argument < original.count {
        guard let path = original[argument].difference(from: outline) else { continue }
        guard let known = common else {
          common = (argument, path)
          continue
        }
        if known.argument != argument { return nil }
        let shared = Swift.zip(known.path, path).prefix { $0 == $1 }.map(\.0)
        common = (argument, shared)
      }
    }
    return common.map { argumentName($0.argument, of: argumentNames) + $0.path.joined() }
  }

  private func outlines(of choices: ChoiceSequence, _ draws: inout ChoiceSource) -> [ValueOutline] {
    draws.begin(reading: choices)
    return trial.outline(&draws)
  }
}

/// The name of an argument, or its number if it has none.
package func argumentName(_ index: Int, of names: [String]) -> String {
  index < names.count ? names[index] : "argument \(index + 1)"
}
