// SPDX-License-Identifier: GPL-3.0-or-later
internal import MonteCarlo
internal import Reporting
internal import Scenarios

/// Which of some settings of an experiment is the best, as `find-best` answers it: settings that are worse are left out
/// early, and the answer is wrong with a probability of at most one minus the confidence.
///
///     let counters = [0.5, 0.7, 0.9].map { arrivals in
///       var counter = Counter()
///       counter.arrivals = arrivals
///       return counter
///     }
///     #expect(try bestOf(counters, by: "min wait at 0.99", samples: 64_000) == [0])
///
/// - Parameters:
///   - settings: the experiment with several values of its parameters, all of which draw the same random numbers.
///   - goal: `min` or `max`, a measure of samples and the confidence of the answer.
///   - samples: the most samples of a setting.
///   - seed: the root seed.
/// - Returns: the indices of the settings that are left, in their order: one, or several that the samples cannot tell
///   apart.
/// - Throws: an error that says what is expected of the goal; errors of parameters and of samples.
public func bestOf<Core: SampledExperiment>(
  _ settings: [Core], by goal: String, samples: Int, seed: UInt64 = 1
) throws -> [Int] {
  let field = ScenarioField(option: "by", [goal])
  guard let goal = Goal(goal) else { throw field.bad(expected: Goal.expected + "'min wait at 0.99'") }
  let looks = Goal.looks(of: samples)
  var search = Elimination<Void>(options: settings.count, looks: looks.count, isLargest: goal.isLargest)
  let sharing = search.sharing
  func sampled(_ index: Int, _ look: Int) throws -> Sampled<Core> {
    var one = Sampled(settings[index])
    (one.samples, one.seed) = (looks[look], seed)
    one.confidence = 1 - goal.error / Double(sharing)
    try one.checkValues()
    return one
  }
  guard let first = settings.first else { return [] }
  let names = Sampled(first).measures.filter { $0.kind != .exact && $0.kind != .count }
  guard Sampled<Core>.isPaired, names.contains(where: goal.isMeasured) else {
    throw field.bad(expected: "one of its measures of samples: \(names.map(\.fullName).joined(separator: ", "))")
  }
  _ = try search.run { setting, leader, look in
    let pairs = try sampled(setting, look).differences(
      from: sampled(leader, look), on: RunContext(workers: 1))
    return pairs.first { goal.isMeasured(by: $0.measure) }.map {
      ($0.estimate, goal.isBetter.evaluated(by: $0, bonferroniDivisor: sharing).verdict, ())
    }
  }
  return search.open.sorted()
}
