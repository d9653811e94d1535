// SPDX-License-Identifier: GPL-3.0-or-later
internal import Reporting

/// The measure by which the best setting is chosen, and the probability with which the answer is right.
package struct Goal: Hashable, Sendable {
  package static let expected = "min or max, a measure and a confidence, for example "

  /// As it was written: `min wait at 0.99`.
  let text: String
  package let isLargest: Bool
  /// That the difference of a setting's figure from the leader's is on the better side of 0.
  package let isBetter: Threshold

  package init?(_ text: String) {
    let words = text.split(separator: " ").map(String.init)
    guard words.count == 4, words[2] == "at", let isLargest = ["min": false, "max": true][words[0]],
      let threshold = try? Threshold("\(words[1]) \(isLargest ? ">" : "<") 0 at \(words[3])")
    else { return nil }
    (self.text, self.isLargest, isBetter) = (words.joined(separator: " "), isLargest, threshold)
  }

  package func isMeasured(by measure: Measure) -> Bool {
    measure.name == isBetter.name && measure.label == isBetter.label
  }

  /// The probability with which the answer may be wrong.
  package var error: Double { 1 - (isBetter.confidence?.value ?? 0.99) }

  /// Looks at a 64th, a 16th and a quarter of the samples, if these are enough for an interval, and at all.
  package static func looks(of samples: Int) -> [Int] {
    [64, 16, 4].map { samples / $0 }.filter { $0 >= 1_000 } + [samples]
  }
}

/// The elimination of options, such as settings of an experiment, until the best is left, with a total error: options
/// that are worse are left out early, and the others get more samples.
///
/// At each look the open options are compared with the one that leads, sample by sample. An option is left out once it
/// is worse than the leader; the leader is, once another one is better. The best option is left out only if one of its
/// comparisons is wrong. With k options it has at most k - 1 of them at each look, whichever leads; they share the
/// error evenly, so that the answer is wrong with a probability of at most the error (Bonferroni).
///
/// Source: Even-Dar, Mannor and Mansour, "Action elimination and stopping conditions for the multi-armed bandit and
/// reinforcement learning problems", Journal of Machine Learning Research 7 (2006), with common random numbers and a
/// fixed number of looks.
package struct Elimination<Found> {
  /// A comparison of an option with the leader.
  package struct Comparison {
    let option: Int
    let leader: Int
    /// The verdict on the option being better: it fails if it is worse.
    let verdict: Verdict
    let found: Found
  }

  /// The result of a comparison: the option's figure minus the leader's.
  package typealias Outcome = (estimate: Double, verdict: Verdict, found: Found)

  private let options: Range<Int>
  private let isLargest: Bool
  /// The number of looks.
  let looks: Int
  /// The options that may be the best, and the one that leads.
  package private(set) var open: Set<Int>
  private(set) var leader = 0
  /// All comparisons, in their order.
  private(set) var path: [Comparison] = []

  package init(options: Int, looks: Int, isLargest: Bool) {
    (self.options, self.looks, self.isLargest, open) = (0..<options, looks, isLargest, Set(0..<options))
  }

  /// The number of comparisons that share the error of the answer.
  package var sharing: Int { looks * (options.count - 1) }
  /// The number of comparisons that share the error if all intervals hold together, whichever options lead.
  var sharingAll: Int { sharing * options.count / 2 }

  /// The last comparison of each option with the leader; every option but the leader has one after `run`.
  var last: [Comparison] {
    options.compactMap { option in path.last { $0.option == option && $0.leader == leader } }
  }

  /// Plays the looks; `compare` compares an option with the leader, by the samples of a look from 0.
  ///
  /// - Returns: false if `compare` returned `nil`, after an interruption.
  package mutating func run(_ compare: (_ option: Int, _ leader: Int, _ look: Int) throws -> Outcome?) rethrows -> Bool
  {
    var end = Array(repeating: looks - 1, count: options.count)
    for look in 0..<looks where open.count > 1 {
      var leaders: Set<Int> = []
      // A new leader is compared at the same look.
      while open.count > 1, leaders.insert(leader).inserted {
        var (lead, isBeaten) = ([leader: 0.0], false)
        for option in open.sorted() where option != leader {
          guard let one = try compare(option, leader, look) else { return false }
          path.append(Comparison(option: option, leader: leader, verdict: one.verdict, found: one.found))
          if one.verdict == .fails { open.remove(option) } else { lead[option] = one.estimate }
          end[option] = look
          isBeaten = isBeaten || one.verdict == .holds
        }
        if isBeaten {
          open.remove(leader)
          (lead[leader], end[leader]) = (nil, look)
        }
        let best = isLargest ? lead.values.max() : lead.values.min()
        leader = open.sorted().first { lead[$0] == best } ?? leader
      }
    }
    // An option that an earlier leader left out has no figure against the last one yet.
    for option in options where option != leader && !last.contains(where: { $0.option == option }) {
      guard let one = try compare(option, leader, end[option]) else { return false }
      path.append(Comparison(option: option, leader: leader, verdict: one.verdict, found: one.found))
    }
    return true
  }
}

/// The search for the best of some settings, all with the same random numbers, by elimination.
struct BestSetting<Base: Experiment> {
  private let axis: SweepAxis
  private let goal: Goal
  private let varied: Varied<Base>

  init(_ axis: SweepAxis, _ goal: Goal, _ varied: Varied<Base>) {
    (self.axis, self.goal, self.varied) = (axis, goal, varied)
  }

  private var settings: [Setting] { axis.settings }

  /// The measures of the run: the difference of each setting.
  static func measures(_ axis: SweepAxis, _ goal: Goal, of base: Base, confidence: Double) -> [Measure] {
    base.measures.filter(goal.isMeasured).flatMap { measure in
      axis.settings.map { measure.difference(at: $0.label, confidence: confidence, isPaired: true) }
    }
  }

  /// The rules between the settings and the goal, and between the parameters at each setting.
  func check() throws(ParameterError) {
    guard settings.count > 1 else { throw ParameterError("best", expected: "several values") }
    guard let measure = varied.base.measures.first(where: goal.isMeasured) else {
      let names = varied.base.measures.map(\.fullName)
      let nearest = Spelling.nearest(to: goal.isBetter.name, among: names).map { "\($0), perhaps; all are " } ?? ""
      throw ParameterError("by", expected: "one of its measures: " + nearest + names.joined(separator: ", "))
    }
    switch measure.kind {
    case .exact, .count: throw ParameterError("by", expected: "a measure of samples, and \(measure.name) is computed")
    case .mean, .proportion, .interval: break
    }
  }

  /// The experiment at a setting with a number of samples, and with the confidence that a comparison needs.
  private func experiment(_ setting: Int, samples: Int?, error: Double) -> Base {
    var experiment = varied.point(settings[setting]).experiment
    func set(_ key: String, _ text: String) {
      guard let parameter = Base.parameters.first(where: { $0.key == key }) else { return }
      try? parameter.read(&experiment, ScenarioField(option: key, [text]))
    }
    if let samples, let key = size?.key { set(key, "\(samples)") }
    if !varied.isGiven("confidence") { set("confidence", NumberFormat.shortest(1 - error)) }
    return experiment
  }

  private var size: SampleSize? {
    varied.base.measures.first(where: goal.isMeasured).flatMap { varied.base.sampleSize(of: $0) }
  }

  func run(on context: RunContext) throws -> ScenarioResult {
    let looks = size.map { Goal.looks(of: $0.value).map(Optional.some) } ?? [nil]
    var search = Elimination<Measurement>(options: settings.count, looks: looks.count, isLargest: goal.isLargest)
    let sharing = search.sharing
    let error = Threshold.LabelVerdict.tidied(goal.error / Double(sharing))
    let isComplete = try search.run { setting, leader, look in
      func experiment(_ setting: Int) -> Base { self.experiment(setting, samples: looks[look], error: error) }
      let pairs = try varied.pairs(
        experiment(setting), from: experiment(leader), at: settings[setting].label, on: context)
      return pairs.first { goal.isMeasured(by: $0.measure) }.map { pair in
        (pair.estimate, goal.isBetter.evaluated(by: pair, bonferroniDivisor: sharing).verdict, pair)
      }
    }
    return result(search, isComplete: isComplete)
  }

  // MARK: The report

  private var confidence: Double { 1 - goal.error }

  private func statement(_ search: Elimination<Measurement>) -> String {
    let open = search.open.sorted().map { settings[$0].label }
    return open.count > 1
      ? "The best setting is one of \(open.joined(separator: "; ")): more samples are needed to tell them apart."
      : "The best setting is \(settings[search.leader].label), by \(goal.text)."
  }

  /// The figure of a comparison; those of all looks and pairs hold together, whichever are shown.
  private func measurement(
    of one: Elimination<Measurement>.Comparison, _ measure: Measure, in search: Elimination<Measurement>
  ) -> Measurement {
    let isStated = if case .interval = measure.kind { true } else { false }
    return Measurement(
      measure, one.found.value, bonferroniDivisor: isStated ? 1 : search.sharingAll, evidence: one.found.evidence)
  }

  /// The difference of each setting from the leader, which differs by nothing from itself.
  private func differences(in search: Elimination<Measurement>) -> [Measurement] {
    guard let own = varied.base.measures.first(where: goal.isMeasured) else { return [] }
    let last = search.last
    return settings.indices.compactMap { setting in
      let measure = own.difference(at: settings[setting].label, confidence: varied.confidence, isPaired: true)
      return setting == search.leader
        ? Measurement(measure.exactly, .exact(0))
        : last.first { $0.option == setting }.map { measurement(of: $0, measure, in: search) }
    }
  }

  private func result(_ search: Elimination<Measurement>, isComplete: Bool) -> ScenarioResult {
    let differences = isComplete ? differences(in: search) : []
    let rows = search.path.map { one in
      [
        settings[one.option].label, settings[one.leader].label,
        measurement(of: one, one.found.measure, in: search).text(at: confidence),
        one.found.samples.map { NumberFormat.grouped($0) } ?? "",
        one.verdict == .holds ? "better" : one.verdict == .fails ? "worse" : "undecided",
      ]
    }
    let said = isComplete ? statement(search) : "Interrupted: the search is not complete."
    let heading = search.path.first.map { $0.found.measure.heading } ?? goal.isBetter.name
    var result = ScenarioResult(
      measurements: differences,
      data: [
        "key": .string(axis.key), "by": .string(goal.text),
        "best": .array(isComplete ? search.open.sorted().map { .string(settings[$0].label) } : []),
        "path": .array(
          rows.map { row in
            .object(
              zip(["setting", "leader", "difference", "samples", "verdict"], row).map { JSONMember($0, .string($1)) })
          }),
      ],
      document: Document(
        id: "best", title: "The best \(axis.key), by \(goal.text)",
        [
          .paragraph(said),
          .paragraph(
            "The answer is wrong with a probability of at most \(NumberFormat.percent(1 - confidence)): the best "
              + "setting has at most \(NumberFormat.grouped(search.sharing)) comparisons, a number fixed "
              + "beforehand, which share the error. All settings draw the same random numbers."),
          .table(
            Table(["setting", "compared with"], numbers: [heading, "samples"], ["verdict"], rows: rows),
            caption: "Each setting's figure minus that of the leading one, in the order of the looks"),
        ] + (differences.count > 1 ? [.figure(figure(of: differences, search))] : [])
      ), confidence: confidence, isComplete: isComplete)
    if isComplete, search.open.count > 1 {
      result.unanswered = EvaluatedThreshold(
        text: "by \(goal.text)", measurement: goal.isBetter.name + ".difference", source: "", line: 0,
        verdict: .undecided, found: said, errorProbability: 1 - confidence)
    }
    return result
  }

  private func figure(of differences: [Measurement], _ search: Elimination<Measurement>) -> Figure {
    let (leader, others) = (settings[search.leader].label, zip(settings, differences).filter { $1.samples != nil })
    return Figure(
      id: "best-\(axis.key)", title: "Differences from \(leader)",
      alternative:
        "The difference of each setting's figure from that of \(leader), with intervals that hold together.",
      x: Figure.Axis(axis.title, scale: .names(others.map(\.0.label))),
      y: Figure.Axis(search.path.first.map { $0.found.measure.axisMeaning } ?? goal.isBetter.name),
      series: [
        Figure.Series(
          "difference", style: .points,
          points: others.enumerated().map { Figure.Point(Double($0), $1.1, at: confidence) }),
        .level(leader, at: 0),
      ])
  }
}

extension ValueType where Value == Goal {
  static func goal<E: Experiment>(of type: E.Type) -> Self {
    let example = "'min \(E().measures.first?.fullName ?? "wait") at 0.99'"
    return Self(
      "goal", expected: Goal.expected + example, schema: ["type": "string"],
      read: { field throws(ReportingError) in
        let expected = Goal.expected + example
        guard let goal = Goal(try field.string(expected: expected)) else { throw field.bad(expected: expected) }
        return goal
      }, write: { .string($0.text) })
  }
}
