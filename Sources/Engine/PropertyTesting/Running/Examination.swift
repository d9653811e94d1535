// SPDX-License-Identifier: GPL-3.0-or-later
internal import MonteCarlo

/// What is done with a case that failed: run again before it is believed, shrunk, run once more, explained.
struct Examination: Sendable {
  /// How often a failure is run again to be believed: as found and as shrunk.
  private static let confirmations = 2

  let trial: Trial
  let settings: CheckSettings
  let argumentNames: [String]
  /// Ends the search for a simpler case.
  var interrupt: Interrupt?

  func examine(_ tape: Tape, _ failure: Failure, casesUntilFound: Int) throws -> CheckReport.Outcome {
    let streams = try CheckStreams(settings)
    var draws = try streams.draws(.explaining)
    let again = trial.evaluate(tape, &draws)
    guard again.isFailure(like: failure) else { return flaky(tape, failure, again, casesUntilFound, &draws) }
    let context = CaseContext()
    let recorded = trial.recording(into: context)
    let shrunk = try CaseContext.$current.withValue(context) {
      var shrinker = Shrinker(
        recorded, tape, failure, limit: settings.shrinkLimit, draws: try streams.draws(.shrinking),
        interrupt: interrupt)
      return shrinker.run()
    }
    let noting = CaseContext(keepsNotes: true)
    let confirmed = trial.evaluate(shrunk.tape, &draws, in: noting)
    guard confirmed.isFailure(like: shrunk.failure) else {
      return flaky(shrunk.tape, shrunk.failure, confirmed, casesUntilFound, &draws)
    }
    var explainer = Explainer(
      trial: recorded, layout: TapeLayout(shrunk.tape), failure: shrunk.failure, argumentNames: argumentNames)
    if settings.explains, interrupt?.isRaised != true {
      CaseContext.$current.withValue(context) { explainer.run(&draws) }
    }
    return .falsified(
      Counterexample(
        arguments: shrunk.arguments, failure: shrunk.failure, tape: shrunk.tape, original: tape,
        casesUntilFound: casesUntilFound, evaluations: shrunk.evaluations + Self.confirmations,
        notes: noting.withAnnotations { $0.notes }, irrelevant: explainer.irrelevant,
        explainEvaluations: explainer.evaluations))
  }

  private func flaky(
    _ tape: Tape, _ first: Failure, _ second: Verdict, _ casesUntilFound: Int, _ draws: inout Draws
  ) -> CheckReport.Outcome {
    draws.begin(reading: tape)
    return .flaky(
      FlakyCase(
        arguments: trial.describe(&draws), first: first, second: second, tape: tape, casesUntilFound: casesUntilFound))
  }
}

extension Verdict {
  fileprivate func isFailure(like failure: Failure) -> Bool {
    if case .failed(let other) = self { other.origin == failure.origin } else { false }
  }
}

/// Finds the parts of a counterexample that do not matter.
///
/// Every argument, then every part of those that matter, is drawn again at random while the rest stays as it is. What
/// fails in the same way each time does not matter, as far as a number of tries can show.
struct Explainer {
  /// Tries that must all fail in the same way. A part that matters in one value of five is taken for irrelevant with a
  /// probability of one in 87.
  static let tries = 20
  static let mostEvaluations = 1000

  let trial: Trial
  let layout: TapeLayout
  let failure: Failure
  let argumentNames: [String]
  private(set) var irrelevant: [String] = []
  private(set) var evaluations = 0

  mutating func run(_ draws: inout Draws) {
    guard !layout.entries.isEmpty else { return }
    let original = outlines(of: Tape(layout.entries), &draws)
    var nodes = layout.children(of: 0).map { (part: $0, whole: nil as String?) }
    var holes: [Int] = []
    var paths: [String] = []
    while !nodes.isEmpty && evaluations < Self.mostEvaluations {
      var inner: [(part: Int, whole: String?)] = []
      for (node, whole) in nodes where evaluations < Self.mostEvaluations {
        let variants = redrawn([node], &draws)
        if variants.count == Self.tries, let path = path(original, variants, &draws), path != whole {
          if !paths.contains(path) { paths.append(path) }
          holes.append(node)
        } else {
          let whole = reach(of: node, original, &draws)
          inner += parts(of: node).map { ($0, whole) }
        }
      }
      nodes = inner
    }
    // What matters little alone may matter together.
    let isJoint = holes.count < 2 || redrawn(holes, &draws).count == Self.tries
    irrelevant = paths.map { "\($0) can be anything\(isJoint ? "" : ", the others as they are")" }
  }

  /// The part of an argument in which a node shows: what stands inside the node and shows no more closely has no name
  /// of its own, so it is not reported.
  private func reach(of node: Int, _ original: [ValueOutline], _ draws: inout Draws) -> String? {
    let holed = holed([node])
    var variants: [Tape] = []
    for _ in 0..<Self.tries {
      draws.begin(reading: holed, gap: .random)
      // A case that cannot be drawn shows nothing.
      if !trial.outline(&draws).isEmpty { variants.append(draws.tape) }
    }
    return path(original, variants, &draws)
  }

  /// The parts of a node that may be drawn again: not what decides how many others there are, or of which kind.
  private func parts(of node: Int) -> [Int] {
    layout.children(of: node).filter { ![.length, .branch].contains(layout.entries[$0].tag) }
  }

  /// The tape with some nodes to be drawn again.
  private func holed(_ nodes: [Int]) -> Tape {
    var entries = layout.entries
    for node in nodes.sorted(by: >) { entries.replaceSubrange(layout.slot(node), with: Tape.hole) }
    return Tape(entries)
  }

  /// Cases that differ in some nodes only and fail in the same way; as many as there are tries, or fewer if one does
  /// not fail or too many are discarded.
  private mutating func redrawn(_ nodes: [Int], _ draws: inout Draws) -> [Tape] {
    let holed = holed(nodes)
    var variants: [Tape] = []
    for _ in 0..<2 * Self.tries where variants.count < Self.tries {
      evaluations += 1
      draws.begin(reading: holed, gap: .random)
      switch trial.attempt(&draws, { _ in true }) {
      case .failed(let other) where other.origin == failure.origin: variants.append(draws.tape)
      case .discarded, .declined: continue
      case .passed, .failed: return variants
      }
    }
    return variants
  }

  /// The smallest part of an argument that holds all differences; nil when there are none to be seen.
  private func path(_ original: [ValueOutline], _ variants: [Tape], _ draws: inout Draws) -> String? {
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

  private func outlines(of tape: Tape, _ draws: inout Draws) -> [ValueOutline] {
    draws.begin(reading: tape)
    return trial.outline(&draws)
  }
}

/// The name of an argument, or its number where it has none.
package func argumentName(_ index: Int, of names: [String]) -> String {
  index < names.count ? names[index] : "argument \(index + 1)"
}
