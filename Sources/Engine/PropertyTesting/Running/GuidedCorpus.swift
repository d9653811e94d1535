// SPDX-License-Identifier: Apache-2.0

/// An edge of instrumented code, with the class of its count in a case, as in AFL: 1, 2, 3, 4 to 7, 8 to 15, 16 to 31,
/// 32 to 127, more.
struct EdgeCount: Sendable, Hashable {
  let edge: UInt32
  /// The class, one of eight bits.
  let kind: UInt8

  init(edge: UInt32, count: UInt32) {
    self.edge = edge
    kind =
      switch count {
      case 1: 1
      case 2: 2
      case 3: 4
      case 4...7: 8
      case 8...15: 16
      case 16...31: 32
      case 32...127: 64
      default: 128
      }
  }
}

/// A case with the edges that it takes.
package struct GuidedCase: Sendable {
  package let choices: ChoiceSequence
  let steps: [EdgeCount]
}

/// The cases that took an edge for the first time, or in a higher class of counts than before.
struct GuidedCorpus: Sendable {
  private(set) var cases: [GuidedCase] = []
  /// The number of edges taken.
  private(set) var reached = 0
  private var seen: [UInt8]

  /// An empty corpus for a number of edges; `nil` for none.
  init?(edges: Int) {
    guard edges > 0 else { return nil }
    seen = Array(repeating: 0, count: edges + 1)
  }

  func hasSeen(_ step: EdgeCount) -> Bool {
    !seen.indices.contains(Int(step.edge)) || seen[Int(step.edge)] & step.kind != 0
  }

  /// Keeps a case if it covers something new; returns whether it does.
  @discardableResult
  mutating func add(_ one: GuidedCase) -> Bool {
    var isNew = false
    for step in one.steps where !hasSeen(step) {
      if seen[Int(step.edge)] == 0 { reached += 1 }
      seen[Int(step.edge)] |= step.kind
      isNew = true
    }
    if isNew { cases.append(one) }
    return isNew
  }

  /// A minimal set of cases with the same coverage; the most complicated ones are left out first.
  var minimal: [GuidedCase] {
    var takers: [EdgeCount: Int] = [:]
    for step in cases.lazy.flatMap(\.steps) { takers[step, default: 0] += 1 }
    var kept: [GuidedCase] = []
    for one in cases.sorted(by: { $1.choices.isSimpler(than: $0.choices) }) {
      if one.steps.contains(where: { takers[$0] == 1 }) {
        kept.append(one)
      } else {
        for step in one.steps { takers[step, default: 0] -= 1 }
      }
    }
    return kept.reversed()
  }
}

/// The progress of a guided search.
package struct GuidanceProgress: Sendable, Hashable {
  package let edges: Int
  package let kept: Int
  /// The number of cases that had passed when something new was last covered.
  package let lastNew: Int

  package var text: String { "\(edges) edges, corpus \(kept), last new after \(lastNew) cases" }
}

/// The result of guiding a search: its coverage of the code under test, or the reason why it was not guided.
package struct GuidanceFinding: Sendable, Hashable, Codable, CustomStringConvertible {
  /// The reason why it was not guided; `nil` if it was.
  package let obstacle: String?
  /// The number of edges taken, and the number of those that no stored case took.
  package let edges, new: Int
  /// The number of stored cases that were tried first.
  package let tried: Int
  /// The fewest cases found that take all of these edges; `nil` if not requested, or if stored cases were left untried.
  package let kept: [ChoiceSequence]?

  /// `nil` if nothing was covered and guidance was not requested.
  init?(_ corpus: GuidedCorpus?, known: Int?, settings: CheckSettings) {
    guard settings.isGuided || corpus.map({ $0.reached > 0 }) ?? false else { return nil }
    obstacle = corpus == nil ? Guidance.obstacle ?? "the search is \(settings.search.rawValue)" : nil
    edges = corpus?.reached ?? 0
    new = edges - (known ?? edges)
    tried = settings.search == .uniform ? settings.corpus.count : 0
    // A search that ended before all stored cases were tried replaces none of them.
    kept = settings.isGuided && known != nil ? corpus?.minimal.map(\.choices) : nil
  }

  /// The number of stored cases that were tried without guidance, as text.
  package static func trial(of tried: Int) -> String {
    tried == 0 ? "" : "; \(tried) stored \(tried == 1 ? "case was" : "cases were") tried first anyway"
  }

  package var description: String {
    if let obstacle {
      return "not guided: \(obstacle)" + Self.trial(of: tried)
    }
    let cases = kept.map { "; \(tried) stored cases tried first, \($0.count) kept" } ?? ""
    return "guided: \(edges) edges, \(new) new\(cases)"
  }
}
