// SPDX-License-Identifier: GPL-3.0-or-later

/// Finds the parts of a counterexample that do not matter.
///
/// Every argument, then every part of those that matter, is drawn again at random while the rest stays as it is. What
/// fails in the same way each time does not matter, as far as a number of tries can show.
struct Explainer {
  /// Tries that must all fail in the same way. A part that matters in one value of five is taken for irrelevant with a
  /// probability of one in 87.
  static let tries = 20
  static let mostEvaluations = 1000

  private let trial: Trial
  private let tape: Tape
  private let failure: Failure
  private let names: ArgumentNames
  private var holes: [Range<Int>] = []
  private(set) var irrelevant: [String] = []
  private(set) var evaluations = 0

  init(_ trial: Trial, _ tape: Tape, _ failure: Failure, names: ArgumentNames) {
    self.trial = trial
    self.tape = tape
    self.failure = failure
    self.names = names
  }

  mutating func run(_ draws: inout Draws) {
    guard let root = tape.node(at: 0) else { return }
    let original = outlines(of: tape, &draws)
    var nodes = tape.children(of: root).map { (part: $0, whole: nil as String?) }
    var paths: [String] = []
    while !nodes.isEmpty && evaluations < Self.mostEvaluations {
      var inner: [(part: Range<Int>, whole: String?)] = []
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
  /// of its own, so nothing can be said about it.
  private func reach(of node: Range<Int>, _ original: [ValueOutline], _ draws: inout Draws) -> String? {
    let holed = Tape(tape.entries.replacing(node, with: Tape.hole))
    var variants: [Tape] = []
    for _ in 0..<Self.tries {
      draws.begin(reading: holed, gap: .random)
      // A case that cannot be drawn shows nothing.
      if !trial.outline(&draws).isEmpty { variants.append(draws.tape) }
    }
    return path(original, variants, &draws)
  }

  /// The parts of a node that may be drawn again: not what decides how many others there are, or of which kind.
  private func parts(of node: Range<Int>) -> [Range<Int>] {
    tape.children(of: node).filter { ![.length, .branch].contains(tape.entries[$0.lowerBound].tag) }
  }

  /// Cases that differ in some nodes only and fail in the same way; as many as there are tries, or fewer if one does
  /// not fail or too many are discarded.
  private mutating func redrawn(_ nodes: [Range<Int>], _ draws: inout Draws) -> [Tape] {
    var holed = tape.entries
    for node in nodes.sorted(by: { $0.lowerBound > $1.lowerBound }) { holed.replaceSubrange(node, with: Tape.hole) }
    var variants: [Tape] = []
    for _ in 0..<2 * Self.tries where variants.count < Self.tries {
      evaluations += 1
      draws.begin(reading: Tape(holed), gap: .random)
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
    return common.map { names[$0.argument] + $0.path.joined() }
  }

  private func outlines(of tape: Tape, _ draws: inout Draws) -> [ValueOutline] {
    draws.begin(reading: tape)
    return trial.outline(&draws)
  }
}

struct ArgumentNames: Sendable, Hashable {
  private let names: [String]

  init(_ names: [String] = []) {
    self.names = names
  }

  subscript(index: Int) -> String { index < names.count ? names[index] : "argument \(index + 1)" }
}

extension [TapeEntry] {
  fileprivate func replacing(_ range: Range<Int>, with others: [TapeEntry]) -> [TapeEntry] {
    self[..<range.lowerBound] + others + self[range.upperBound...]
  }
}
