// SPDX-License-Identifier: GPL-3.0-or-later
internal import Reporting

/// The measure by which the best setting is chosen, and the probability with which the answer is right.
package struct Goal: Hashable, Sendable {
  static let expected = "min or max, a measure and a confidence, for example "

  /// As it was written: `min wait at 0.99`.
  let text: String
  let isLargest: Bool
  /// That the difference of a setting's figure from the leader's is on the better side of 0.
  let isBetter: Threshold

  init?(_ text: String) {
    let words = text.split(separator: " ").map(String.init)
    guard words.count == 4, words[2] == "at", let isLargest = ["min": false, "max": true][words[0]],
      let threshold = try? Threshold("\(words[1]) \(isLargest ? ">" : "<") 0 at \(words[3])")
    else { return nil }
    (self.text, self.isLargest, isBetter) = (words.joined(separator: " "), isLargest, threshold)
  }

  func isMeasured(by measure: Measure) -> Bool {
    measure.name == isBetter.name && measure.label == isBetter.label
  }
}

/// The search for the best of some settings, all with the same random numbers: settings that are worse are left out
/// early, and the others get more samples.
///
/// At each look the open settings are compared with the one that leads, sample by sample. A setting is left out once
/// its figure is worse than the leader's; the leader is, once another's is better. The best setting is left out only if
/// one of its comparisons is wrong. With k settings it has at most k - 1 of them at each look, whichever setting leads;
/// they share the error evenly, so that the answer is wrong with a probability of at most the error (Bonferroni).
///
/// Source: Even-Dar, Mannor and Mansour, "Action elimination and stopping conditions for the multi-armed bandit and
/// reinforcement learning problems", Journal of Machine Learning Research 7 (2006), with common random numbers and a
/// fixed number of looks.
struct BestSetting<Base: Experiment> {
  private let axis: SweepAxis
  private let goal: Goal
  private let varied: Varied<Base>

  init(_ axis: SweepAxis, _ goal: Goal, _ varied: Varied<Base>) {
    (self.axis, self.goal, self.varied) = (axis, goal, varied)
  }

  /// A setting's figure minus that of the leader.
  private struct Comparison {
    let setting: Int
    let leader: Int
    let measurement: Measurement
    let verdict: Verdict
  }

  /// Looks at a 64th, a 16th and a quarter of the samples, if these are enough for an interval, and at all.
  private static func looks(of samples: Int) -> [Int] {
    [64, 16, 4].map { samples / $0 }.filter { $0 >= 1_000 } + [samples]
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
    let looks = size.map { Self.looks(of: $0.value).map(Optional.some) } ?? [nil]
    let sharing = looks.count * (settings.count - 1)
    let error = Threshold.LabelVerdict.tidied((1 - (goal.isBetter.confidence?.value ?? 0)) / Double(sharing))
    var (leader, open, path) = (0, Set(settings.indices), [Comparison]())
    for samples in looks where open.count > 1 {
      var leaders: Set<Int> = []
      // A new leader is compared at the same look.
      while open.count > 1, leaders.insert(leader).inserted {
        let base = experiment(leader, samples: samples, error: error)
        var lead = [leader: 0.0]
        var isBeaten = false
        for setting in open.sorted() where setting != leader {
          let other = experiment(setting, samples: samples, error: error)
          let pairs = try varied.pairs(other, from: base, at: settings[setting].label, on: context)
          guard let pair = pairs.first(where: { goal.isMeasured(by: $0.measure) }) else {
            return result(path, open, leader, looks.count, isComplete: false)
          }
          let verdict = goal.isBetter.evaluated(by: pair, bonferroniDivisor: sharing).verdict
          path.append(Comparison(setting: setting, leader: leader, measurement: pair, verdict: verdict))
          if verdict == .fails { open.remove(setting) } else { lead[setting] = pair.estimate }
          isBeaten = isBeaten || verdict == .holds
        }
        if isBeaten {
          open.remove(leader)
          lead[leader] = nil
        }
        let best = goal.isLargest ? lead.values.max() : lead.values.min()
        leader = open.sorted().first { lead[$0] == best } ?? leader
      }
    }
    return result(path, open, leader, looks.count, isComplete: true)
  }

  // MARK: The report

  private func statement(_ open: Set<Int>, _ leader: Int) -> String {
    guard open.count > 1 else {
      return "The best setting is \(settings[leader].label), by \(goal.text)."
    }
    return "The best setting is one of "
      + open.sorted().map { settings[$0].label }.joined(separator: "; ")
      + ": more samples are needed to tell them apart."
  }

  private func result(
    _ path: [Comparison], _ open: Set<Int>, _ leader: Int, _ looks: Int, isComplete: Bool
  ) -> ScenarioResult {
    // Intervals hold together over all looks and pairs, whichever are shown.
    let shared = looks * settings.count * (settings.count - 1) / 2
    func measurement(_ one: Comparison) -> Measurement {
      let pair = one.measurement
      let isStated = if case .interval = pair.measure.kind { true } else { false }
      return Measurement(
        pair.measure.labelled("\(settings[one.setting].label) minus \(settings[one.leader].label)"), pair.value,
        bonferroniDivisor: isStated ? 1 : shared, evidence: pair.evidence)
    }
    let final = settings.indices.compactMap { setting in
      path.last { $0.setting == setting && $0.leader == leader }
    }
    let confidence = goal.isBetter.confidence?.value ?? 0.99
    let rows = path.map { one in
      [
        settings[one.setting].label, settings[one.leader].label, measurement(one).text(at: confidence),
        one.measurement.samples.map { NumberFormat.grouped($0) } ?? "",
        one.verdict == .holds ? "better" : one.verdict == .fails ? "worse" : "undecided",
      ]
    }
    let said = isComplete ? statement(open, leader) : "Interrupted: the search is not complete."
    let heading = path.first.map { $0.measurement.measure.heading } ?? goal.isBetter.name
    var result = ScenarioResult(
      measurements: isComplete
        ? final.map { one in
          let own = varied.base.measures.first(where: goal.isMeasured) ?? one.measurement.measure
          let kept = measurement(one)
          return Measurement(
            own.difference(at: settings[one.setting].label, confidence: varied.confidence, isPaired: true), kept.value,
            bonferroniDivisor: kept.bonferroniDivisor, evidence: kept.evidence)
        } : [],
      data: [
        "key": .string(axis.key), "by": .string(goal.text),
        "best": .array(isComplete ? open.sorted().map { .string(settings[$0].label) } : []),
        "path": .array(
          rows.map { row in
            [
              "setting": .string(row[0]), "leader": .string(row[1]), "difference": .string(row[2]),
              "samples": .string(row[3]), "verdict": .string(row[4]),
            ]
          }),
      ],
      document: Document(
        id: "best", title: "The best \(axis.key), by \(goal.text)",
        [
          .paragraph(said),
          .paragraph(
            "The answer is wrong with a probability of at most \(NumberFormat.percent(1 - confidence)): the best "
              + "setting has at most \(NumberFormat.grouped(looks * (settings.count - 1))) comparisons, a number fixed "
              + "beforehand, which share the error. All settings draw the same random numbers."),
          .table(
            Table(["setting", "compared with"], numbers: [heading, "samples"], ["verdict"], rows: rows),
            caption: "Each setting's figure minus that of the leading one, in the order of the looks"),
        ]
          + (final.isEmpty
            ? [] : [.figure(figure(final.map { (settings[$0.setting].label, measurement($0)) }, leader))])
      ), confidence: confidence, isComplete: isComplete)
    if isComplete, open.count > 1 {
      result.unanswered = EvaluatedThreshold(
        text: "by \(goal.text)", measurement: goal.isBetter.name + ".difference", source: "", line: 0,
        verdict: .undecided, found: said, errorProbability: 1 - confidence)
    }
    return result
  }

  private func figure(_ found: [(label: String, measurement: Measurement)], _ leader: Int) -> Figure {
    let confidence = goal.isBetter.confidence?.value ?? 0.99
    return Figure(
      id: "best-\(axis.key)", title: "Differences from \(settings[leader].label)",
      alternative:
        "The difference of each setting's figure from that of \(settings[leader].label), with intervals that "
        + "hold together.",
      x: Figure.Axis(axis.title, scale: .names(found.map(\.label))),
      y: Figure.Axis(found.first?.measurement.measure.axisMeaning ?? goal.isBetter.name),
      series: [
        Figure.Series(
          "difference", style: .points,
          points: found.enumerated().map { Figure.Point(Double($0), $1.measurement, at: confidence) }),
        .level(settings[leader].label, at: 0),
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
