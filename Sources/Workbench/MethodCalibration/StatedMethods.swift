// SPDX-License-Identifier: GPL-3.0-or-later
internal import Glibc
internal import MonteCarlo
internal import PropertyTesting
internal import Randomness
internal import Sampling
package import Scenarios
internal import Statistics

/// The statements of every lab about its samples: intervals of measurements, differences, bounds at any time,
/// thresholds and coverage checks. Tie rates, shares of seasons and storms that agree are proportions.
package enum StatedMethods {
  package static let all: [CalibrationMethod] = stated + ofRareEvents + ofControls

  private static let stated: [CalibrationMethod] = [
    CalibrationMethod(
      "proportion", "the interval of a share of independent trials",
      shares { successes, trials, confidence in
        Measurement(.share, .proportion(successes: successes, trials: trials)).interval(at: confidence)
      }),
    CalibrationMethod(
      "bounded-mean", "the interval of a mean of observations in a known range",
      means { tally, distribution, confidence in distribution.measurement(of: tally).interval(at: confidence) }),
    CalibrationMethod(
      "unbounded-mean", "Student's interval of a mean of observations without bounds, from 30 on",
      unboundedMeans { tally, confidence in
        Measurement(.mean(in: nil), .mean(of: tally, slope: Distribution.unit)).interval(at: confidence)
      }),
    CalibrationMethod(
      "share-difference", "the interval of the difference between two runs' shares",
      shareDifferences { before, after, confidence in
        let (first, second) = (Measurement(.share, before.value), Measurement(.share, after.value))
        return MeasurementDifference(from: first, to: second, relation: .independent, confidence: confidence).interval
      }),
    CalibrationMethod(
      "mean-difference", "the interval of the difference between two runs' means in known ranges",
      meanDifferences { before, after, confidence in
        MeasurementDifference(from: before, to: after, relation: .independent, confidence: confidence).interval
      } + [sameSamples]),
    CalibrationMethod(
      "sequential-mean", "the interval at any time of a mean in a known range, looked at after each of 40 waves",
      sequentialMeans { tallies, distribution, confidence in
        guard var sequence = try? ConfidenceSequence(range: distribution.range, unit: Distribution.unit) else {
          return []
        }
        return tallies.map { wave in
          sequence.absorb(wave: wave)
          return sequence.interval(alpha: 1 - confidence)
        }
      }),
    CalibrationMethod(
      "half-width", "the interval at the moment at which it is first narrow enough",
      halfWidths { waves, distribution, target, confidence in
        var sequence = try ConfidenceSequence(range: distribution.range, unit: Distribution.unit)
        for wave in waves {
          sequence.absorb(wave: wave)
          let interval = sequence.interval(alpha: 1 - confidence)
          if interval.upperBound - interval.lowerBound <= 2 * target { break }
        }
        return sequence.interval(alpha: 1 - confidence)
      }),
    CalibrationMethod(
      "threshold", "the verdict of a threshold, of every nature",
      thresholds { SampledThreshold(measure: $1.measure, threshold: $0).verdict(by: $1) } + [steeredThreshold]),
    CalibrationMethod(
      "skewed-mean", "the verdict on a mean without a range, in a run of at most 2,048 samples that may end early",
      skewedMeans { $0 }),
    CalibrationMethod(
      "looked-mean", "the verdict on a mean in a known range, in a run of at most 512 samples that may end early",
      lookedMeans { $0 }),
    CalibrationMethod(
      "ratio", "the verdict on a ratio of sums over samples, in a run of at most 2,048 samples that may end early",
      ratios(
        of: .ratio("figure", "") {
          $0.above
        } over: {
          $0.below
        })),
    CalibrationMethod(
      "narrow-run",
      "the interval of a run of at most 2,048 samples at the look at which it has the half-width asked for",
      narrowRuns(sharesError: true)),
    CalibrationMethod(
      "threshold-labels", "the verdicts of a threshold that several labels share",
      sharedThresholds(bonferroniDivisor: \.self)),
    CalibrationMethod(
      "find", "the answer of a search, whose looks at all values share the error", found(bonferroniDivisor: \.self)),
    CalibrationMethod(
      "sweep", "the verdicts of a threshold at four values together, in runs that may end early",
      swept(bonferroniDivisor: \.self)),
    CalibrationMethod(
      "cover", "the verdicts of a property's coverage claims, after every block of cases",
      covers { blocks, claims, confidence in
        var check = CoverageCheck(confidence: confidence)
        for block in blocks {
          check.absorb(
            cases: block.cases,
            claims: claims.enumerated().map { ("claim \($0)", hits: block.hits[$0], atLeast: $1.atLeast) })
        }
        // They are sorted by name, and there are fewer than ten.
        return check.findings.map(\.verdict)
      }),
    // Mutants: each has a fault that its method is designed to avoid.
    CalibrationMethod(
      "normal-share", "a share with its own sample's deviation, none where all trials agree", mutantOf: "proportion",
      shares { successes, trials, confidence in
        let share = Double(successes) / Double(trials)
        return around(share, (share * (1 - share) / Double(trials)).squareRoot(), confidence)
      }),
    CalibrationMethod(
      "student-of-alike", "Student's interval of a few samples, which may all be alike", mutantOf: "bounded-mean",
      means { tally, _, confidence in student(tally, confidence) }),
    CalibrationMethod(
      "normal-of-few", "the normal distribution's quantile with the deviation of a few samples",
      mutantOf: "unbounded-mean",
      unboundedMeans { tally, confidence in
        around(tally.mean * Distribution.unit, tally.standardError * Distribution.unit, confidence)
      }),
    CalibrationMethod(
      "normal-share-difference", "a difference with the samples' own deviations", mutantOf: "share-difference",
      shareDifferences { before, after, confidence in
        around(
          after.share - before.share, (before.variance + after.variance).squareRoot(), confidence)
      }),
    CalibrationMethod(
      "same-error-difference", "a difference with the error of one of the two means", mutantOf: "mean-difference",
      meanDifferences { before, after, confidence in
        guard case .mean(let mean, let deviation, let samples) = after.value else { return .everything }
        return around(mean - before.estimate, deviation / Double(samples).squareRoot(), confidence)
      }),
    CalibrationMethod(
      "peeking-mean", "an interval for one look, looked at after every wave", mutantOf: "sequential-mean",
      sequentialMeans { tallies, _, confidence in
        var total = MomentTally()
        return tallies.map { wave in
          total.merge(wave)
          return student(total, confidence)
        }
      }),
    CalibrationMethod(
      "narrow-at-a-look", "an interval for one look, at the look at which it is first narrow enough",
      mutantOf: "half-width",
      halfWidths { waves, _, target, confidence in
        var total = MomentTally()
        for wave in waves {
          total.merge(wave)
          let interval = student(total, confidence)
          if interval.upperBound - interval.lowerBound <= 2 * target { return interval }
        }
        return student(total, confidence)
      }),
    CalibrationMethod(
      "estimate-alone", "the verdict by the figure, without its interval", mutantOf: "threshold",
      thresholds { threshold, found in
        let exact = Measure("figure", meaning: "", kind: .exact)
        return SampledThreshold(measure: exact, threshold: threshold).verdict(
          by: Measurement(exact, .exact(found.estimate)))
      }),
    CalibrationMethod(
      "student-of-skewed", "Student's interval at each look, whatever the samples show", mutantOf: "skewed-mean",
      skewedMeans { Measurement($0.measure, $0.value, bonferroniDivisor: $0.bonferroniDivisor) }),
    CalibrationMethod(
      "student-of-bounded", "Student's interval of one look at each look", mutantOf: "looked-mean",
      lookedMeans { Measurement(.mean(in: nil), $0.value) }),
    CalibrationMethod(
      "mean-of-ratios", "the mean of the samples' ratios in place of the ratio of their sums", mutantOf: "ratio",
      ratios(of: .mean("figure", "") { $0.below == 0 ? 0 : $0.above / $0.below })),
    CalibrationMethod(
      "fixed-interval",
      "the interval of a fixed number of samples, at the look at which it has the half-width asked for",
      mutantOf: "narrow-run", narrowRuns(sharesError: false)),
    CalibrationMethod(
      "labels-alone", "a threshold's labels without their share of the error", mutantOf: "threshold-labels",
      sharedThresholds { _ in 1 }),
    CalibrationMethod(
      "find-alone", "a search in which each look at each value has the whole error", mutantOf: "find",
      found { _ in 1 }),
    CalibrationMethod(
      "sweep-alone", "a threshold's verdicts at four values, each with the whole error", mutantOf: "sweep",
      swept { _ in 1 }),
    CalibrationMethod(
      "peeking-cover", "a bound for one look at one claim, looked at after every block", mutantOf: "cover",
      covers { blocks, claims, confidence in
        var verdicts = claims.map { _ in CoverageFinding.Verdict.undecided }
        var (cases, hits) = (0, claims.map { _ in 0 })
        for block in blocks {
          cases += block.cases
          for index in claims.indices where verdicts[index] == .undecided {
            hits[index] += block.hits[index]
            let share = Measurement(.share, .proportion(successes: hits[index], trials: cases))
            let bounds = share.bounds(at: confidence)
            if bounds.upperBound < claims[index].atLeast { verdicts[index] = .fails }
            if bounds.lowerBound >= claims[index].atLeast { verdicts[index] = .holds }
          }
        }
        return verdicts
      }),
  ]

  private static func around(_ middle: Double, _ error: Double, _ confidence: Double) -> ClosedRange<Double> {
    let reach = ((try? Quantile.normal((1 + confidence) / 2)) ?? .infinity) * error
    return (middle - reach)...(middle + reach)
  }

  private static func student(_ tally: MomentTally, _ confidence: Double) -> ClosedRange<Double> {
    guard let quantile = try? Quantile.studentT((1 + confidence) / 2, degreesOfFreedom: Double(tally.count - 1))
    else { return .everything }
    let (mean, reach) = (tally.mean * Distribution.unit, quantile * tally.standardError * Distribution.unit)
    return (mean - reach)...(mean + reach)
  }
}

// MARK: Laws

/// Observations in a known range, in hundredths.
struct Distribution: Sendable {
  static let unit = 0.01

  let name: String
  /// The number of observations if they are looked at once.
  let count: Int
  let range: ClosedRange<Double>
  let mean: Double
  let deviation: Double
  let draw: @Sendable (inout GSLGenerator) -> Int

  /// 1 with a probability, otherwise the range's lower end.
  static func either(
    _ name: String, count: Int, chance: Double, in range: ClosedRange<Double> = 0...1
  ) -> Self {
    let width = range.upperBound - range.lowerBound
    return Self(
      name: name, count: count, range: range, mean: range.lowerBound + width * chance,
      deviation: width * (chance * (1 - chance)).squareRoot()
    ) { Int(($0.share() < chance ? range.upperBound : range.lowerBound) / unit) }
  }

  static let all = [
    either("few", count: 2, chance: 0.5, in: -1...1),
    either("skewed", count: 40, chance: 0.02),
    either("all alike", count: 20, chance: 0.98),
    either("boundary", count: 10, chance: 0),
    Self(name: "null", count: 100, range: -1...1, mean: 0, deviation: (40_400.0 / 12).squareRoot() / 100) {
      Int($0.share() * 201) - 100
    },
  ]

  func tally(of count: Int, using generator: inout GSLGenerator) -> MomentTally {
    var tally = MomentTally()
    for _ in 0..<count { tally.add(draw(&generator)) }
    return tally
  }

  func measurement(of tally: MomentTally) -> Measurement {
    Measurement(.mean(in: range), .mean(of: tally, slope: Self.unit))
  }

  func standardError(of count: Int) -> Double { deviation / Double(count).squareRoot() }
}

/// Trials and the number of successes.
struct Trials: Hashable, Sendable {
  var successes: Int
  let trials: Int

  var share: Double { Double(successes) / Double(trials) }
  var variance: Double { share * (1 - share) / Double(trials) }
  var value: Measurement.Value { .proportion(successes: successes, trials: trials) }
}

extension Measure {
  fileprivate static let share = Measure("share", meaning: "", kind: .proportion)

  fileprivate static func mean(in range: ClosedRange<Double>?) -> Measure {
    Measure("mean", meaning: "", kind: .mean, range: range)
  }
}

// MARK: Problems

extension StatedMethods {
  private static func shares(
    _ interval: @escaping @Sendable (_ successes: Int, _ trials: Int, Double) -> ClosedRange<Double>
  ) -> [CalibrationProblem] {
    [
      ("few", 3, 0.5), ("skewed", 60, 0.02), ("all alike", 20, 0.99), ("boundary", 30, 1), ("null", 100, 0.5),
    ].map { (name: String, trials: Int, chance: Double) in
      CalibrationProblem(
        name, standardError: (chance * (1 - chance) / Double(trials)).squareRoot(),
        draw: { $0.successes(of: trials, chance: chance) },
        state: { .interval(interval($0, trials, $1), truth: chance, within: 0...1) })
    }
  }

  private static func means(
    _ interval: @escaping @Sendable (MomentTally, Distribution, Double) -> ClosedRange<Double>
  ) -> [CalibrationProblem] {
    Distribution.all.map { distribution in
      CalibrationProblem(distribution.name, standardError: distribution.standardError(of: distribution.count)) {
        generator, confidence in
        let tally = distribution.tally(of: distribution.count, using: &generator)
        return .interval(
          interval(tally, distribution, confidence), truth: distribution.mean, within: distribution.range)
      }
    }
  }

  /// Laws with a mean of 1.
  private static func unboundedMeans(
    _ interval: @escaping @Sendable (MomentTally, Double) -> ClosedRange<Double>
  ) -> [CalibrationProblem] {
    func problem(
      _ name: String, _ count: Int, deviation: Double, _ draw: @escaping @Sendable (inout GSLGenerator) throws -> Double
    ) -> CalibrationProblem {
      CalibrationProblem(name, standardError: deviation / Double(count).squareRoot()) { generator, confidence in
        var tally = MomentTally()
        for _ in 0..<count { tally.add(Int((try draw(&generator) / Distribution.unit).rounded())) }
        return .interval(interval(tally, confidence), truth: 1)
      }
    }
    return [
      problem("few", 4, deviation: 1) { try GaussianDistribution(mean: 1).sample(using: &$0) },
      problem("normal", 30, deviation: 1) { try GaussianDistribution(mean: 1).sample(using: &$0) },
      problem("skewed", 200, deviation: 0.5) { try GammaDistribution(shape: 4, scale: 0.25).sample(using: &$0) },
      problem("all alike", 40, deviation: 0) { _ in 1 },
    ]
  }

  private typealias Chances = (trials: Int, chance: Double)

  private static func shareDifferences(
    _ interval: @escaping @Sendable (Trials, Trials, Double) -> ClosedRange<Double>
  ) -> [CalibrationProblem] {
    let distributions: [(name: String, first: Chances, second: Chances)] = [
      ("few", (4, 0.5), (5, 0.5)), ("skewed", (40, 0.02), (40, 0.05)), ("all alike", (20, 0.98), (20, 0.98)),
      ("boundary", (10, 0), (10, 1)), ("null", (15, 0.3), (12, 0.3)),
    ]
    return distributions.map { name, first, second in
      let variances = [first, second].map { $0.chance * (1 - $0.chance) / Double($0.trials) }
      return CalibrationProblem(
        name, standardError: variances.reduce(0, +).squareRoot(),
        draw: { generator in
          [first, second].map {
            Trials(successes: generator.successes(of: $0.trials, chance: $0.chance), trials: $0.trials)
          }
        },
        state: {
          .interval(interval($0[0], $0[1], $1), truth: second.chance - first.chance, within: -1...1)
        })
    }
  }

  private static func meanDifferences(
    _ interval: @escaping @Sendable (Measurement, Measurement, Double) -> ClosedRange<Double>
  ) -> [CalibrationProblem] {
    Distribution.all.map { distribution in
      let width = distribution.range.upperBound - distribution.range.lowerBound
      return CalibrationProblem(
        distribution.name, standardError: distribution.standardError(of: distribution.count) * 1.5.squareRoot()
      ) { generator, confidence in
        let before = distribution.measurement(of: distribution.tally(of: distribution.count, using: &generator))
        let after = distribution.measurement(of: distribution.tally(of: 2 * distribution.count, using: &generator))
        return .interval(interval(before, after, confidence), truth: 0, within: -width...width)
      }
    }
  }

  /// Two runs of one seed, of which the second measures the opposite: the strongest dependence.
  private static var sameSamples: CalibrationProblem {
    let distribution = Distribution.all[4]
    return CalibrationProblem(
      "one seed", standardError: 2 * distribution.standardError(of: distribution.count)
    ) { generator, confidence in
      var (before, after) = (MomentTally(), MomentTally())
      for _ in 0..<distribution.count {
        let value = distribution.draw(&generator)
        before.add(value)
        after.add(-value)
      }
      let difference = MeasurementDifference(
        from: distribution.measurement(of: before), to: distribution.measurement(of: after), relation: .unknown,
        confidence: confidence)
      return .interval(difference.interval, truth: 0, within: -2...2)
    }
  }

  /// Wrong if any of the looks is.
  private static func sequentialMeans(
    _ intervals: @escaping @Sendable ([MomentTally], Distribution, Double) -> [ClosedRange<Double>]
  ) -> [CalibrationProblem] {
    Distribution.all.map { distribution in
      let wave = max(1, distribution.count / 10)
      return CalibrationProblem(distribution.name, standardError: distribution.standardError(of: 40 * wave)) {
        generator, confidence in
        let waves = (0..<40).map { _ in distribution.tally(of: wave, using: &generator) }
        let looks = intervals(waves, distribution, confidence)
        return .interval(
          looks.last ?? .everything, truth: distribution.mean, within: distribution.range,
          wasWrong: looks.contains { !$0.contains(distribution.mean) })
      }
    }
  }

  /// A run that stops by its half-width; the statement is the interval at that moment.
  private static func halfWidths(
    _ interval:
      @escaping @Sendable ([MomentTally], Distribution, _ target: Double, Double) throws -> ClosedRange<Double>
  ) -> [CalibrationProblem] {
    Distribution.all.map { distribution in
      CalibrationProblem(distribution.name) { generator, confidence in
        let waves = (0..<40).map { _ in distribution.tally(of: 5, using: &generator) }
        let target = (distribution.range.upperBound - distribution.range.lowerBound) / 8
        return .interval(
          try interval(waves, distribution, target, confidence), truth: distribution.mean, within: distribution.range)
      }
    }
  }
}

// MARK: Decisions

extension CalibrationProblem.Statement {
  /// Verdicts, which are wrong if any of them is.
  fileprivate static func verdicts(_ verdicts: [Verdict], wrong: Verdict = .holds) -> Self {
    .decision(isMade: verdicts.contains { $0 != .undecided }, isWrong: verdicts.contains(wrong))
  }
}

extension StatedMethods {
  private typealias Number = Threshold.Number

  private static func asked(_ condition: Threshold.Condition, _ confidence: Double) -> Threshold {
    Threshold(name: "figure", condition, confidence: Number(confidence))
  }

  private static func threshold(
    _ comparator: Threshold.Comparator, _ bound: Double, _ confidence: Double, on measure: Measure = .mean(in: nil),
    bonferroniDivisor: Int = 1
  ) -> SampledThreshold {
    SampledThreshold(
      measure: measure, threshold: asked(.compared(comparator, Number(bound)), confidence),
      bonferroniDivisor: bonferroniDivisor)
  }

  /// A run of samples that ends when its threshold is decided; wrong if that holds.
  private static func run<Sample>(
    _ name: String, _ measure: SampleMeasure<Sample>, _ comparator: Threshold.Comparator, _ bound: Double,
    on asked: Measure = .mean(in: nil), samples: Int = 2_048,
    known: @escaping @Sendable (Measurement) -> Measurement = { $0 },
    _ draw: @escaping @Sendable (inout GSLGenerator) throws -> Sample
  ) -> CalibrationProblem {
    CalibrationProblem(name) { generator, confidence in
      let threshold = threshold(comparator, bound, confidence, on: asked)
      return .verdicts([
        try SampledTrial.verdict(samples: samples, of: measure, draw: { try draw(&generator) }) {
          threshold.verdict(by: known($0))
        }
      ])
    }
  }

  /// Runs with thresholds that exclude the true figure by 1%, below it and above it.
  private static func runs<Sample>(
    _ name: String, _ measure: SampleMeasure<Sample>, _ truth: Double,
    known: @escaping @Sendable (Measurement) -> Measurement = { $0 },
    _ draw: @escaping @Sendable (inout GSLGenerator) throws -> Sample
  ) -> [CalibrationProblem] {
    [
      run("\(name) below", measure, .atMost, truth - abs(truth) / 100, known: known, draw),
      run("\(name) above", measure, .atLeast, truth + abs(truth) / 100, known: known, draw),
    ]
  }

  private static let mean = SampleMeasure<Double>.mean("figure", "") { $0 }

  /// True figures on the bound, or next to it, where a wrong verdict is likeliest.
  private static func thresholds(
    _ verdict: @escaping @Sendable (Threshold, Measurement) -> Verdict
  ) -> [CalibrationProblem] {
    func share(
      _ name: String, _ trials: Int, _ chance: Double, _ condition: Threshold.Condition, wrong: Verdict
    ) -> CalibrationProblem {
      CalibrationProblem(
        name, draw: { $0.successes(of: trials, chance: chance) },
        state: { successes, confidence in
          let found = Measurement(.share, .proportion(successes: successes, trials: trials))
          return .verdicts([verdict(asked(condition, confidence), found)], wrong: wrong)
        })
    }
    func mean(
      _ name: String, _ distribution: Distribution, _ condition: Threshold.Condition, wrong: Verdict
    ) -> CalibrationProblem {
      CalibrationProblem(name) { generator, confidence in
        let found = distribution.measurement(of: distribution.tally(of: distribution.count, using: &generator))
        return .verdicts([verdict(asked(condition, confidence), found)], wrong: wrong)
      }
    }
    return [
      share("share few", 5, 0.9, .compared(.below, Number(0.9)), wrong: .holds),
      share("share skewed", 60, 0.02, .compared(.atMost, Number(0.02)), wrong: .fails),
      share("share all alike", 20, 0.98, .compared(.above, Number(0.98)), wrong: .holds),
      share("share null", 100, 0.5, .compared(.atLeast, Number(0.5)), wrong: .fails),
      share("share inside", 200, 0.5, .within(low: Number(0.5), high: Number(0.7)), wrong: .fails),
      share("share outside", 200, 0.5, .within(low: Number(0.3), high: Number(0.499_999)), wrong: .holds),
      mean("mean few", Distribution.all[0], .compared(.above, Number(0)), wrong: .holds),
      mean("mean skewed", Distribution.all[1], .compared(.below, Number(0.02)), wrong: .holds),
      mean("mean null", Distribution.all[4], .compared(.atLeast, Number(0)), wrong: .fails),
    ]
  }

  /// Skewed distributions without bounds that the method knows. The thresholds exclude the true mean, by 1% but for the
  /// waits: there, half of it is what a real run was asked.
  private static func skewedMeans(
    _ known: @escaping @Sendable (Measurement) -> Measurement
  ) -> [CalibrationProblem] {
    typealias Draw = @Sendable (inout GSLGenerator) throws -> Double
    func rare(_ chance: Double, _ draw: @escaping Draw) -> Draw {
      { $0.share() < chance ? try draw(&$0) : 0 }
    }
    let exponential: Draw = { -log($0.share()) }
    let distributions: [(name: String, mean: Double, draw: Draw)] = [
      ("normal", 1, { try GaussianDistribution(mean: 1).sample(using: &$0) }),
      ("exponential", 1, exponential),
      ("lognormal 1", exp(0.5), { exp(try GaussianDistribution(mean: 0).sample(using: &$0)) }),
      ("lognormal 2", exp(2), { exp(2 * (try GaussianDistribution(mean: 0).sample(using: &$0))) }),
      ("Pareto 3", 1.5, { pow($0.share(), -1 / 3.0) }),
      ("Pareto 2.5", 2.5 / 1.5, { pow($0.share(), -1 / 2.5) }),
      ("zeros 99.9%", 0.001, rare(0.001) { 2 * $0.share() }),
      ("one in 1,000", 0.001, rare(0.001) { _ in 1 }),
      ("losses", -1, { log($0.share()) }),
    ]
    return [run("waits half", mean, .atMost, 0.0005, known: known, rare(0.001, exponential))]
      + distributions.flatMap { runs($0.name, mean, $0.mean, known: known, $0.draw) }
  }

  private typealias Parts = (above: Double, below: Double)

  /// Samples of which numerators and denominators depend on each other.
  private static func ratios(of measure: SampleMeasure<Parts>) -> [CalibrationProblem] {
    typealias Draw = @Sendable (inout GSLGenerator) throws -> Parts
    let distributions: [(name: String, ratio: Double, draw: Draw)] = [
      (
        "squares", 2,
        {
          let below = -log($0.share()); return (below * below, below)
        }
      ),
      (
        "late orders", 0.4,
        {
          let below = (10 * $0.share()).rounded(.up); return ($0.share() < 0.4 ? below : 0, below)
        }
      ),
      ("rare", 0.5, { $0.share() < 0.1 ? ($0.share(), 1) : (0, 0) }),
      (
        "opposite", 0.25 / 0.75,
        {
          let share = $0.share(); return (share * share * 0.75, 1 - share * share * 0.75)
        }
      ),
    ]
    return distributions.flatMap { runs($0.name, measure, $0.ratio, $0.draw) }
  }

  /// Runs that end at a half-width, absolute or of the estimate. The median of the two lumps is between them: an
  /// interval with both ends in one lump is narrow, and wrong.
  private static func narrowRuns(sharesError: Bool) -> [CalibrationProblem] {
    typealias Draw = @Sendable (inout GSLGenerator) throws -> Double
    func problem(
      _ name: String, _ truth: Double, _ measure: SampleMeasure<Double>, _ goal: String, _ draw: @escaping Draw
    ) -> CalibrationProblem {
      CalibrationProblem(name) { generator, confidence in
        let goal = WidthGoal(goal)
        let found = try SampledTrial.measurement(
          samples: 2_048, of: measure, confidence: confidence, sharesError: sharesError, draw: { try draw(&generator) }
        ) { goal?.isReached(by: $0, at: confidence) == true }
        return .interval(found?.interval(at: confidence) ?? .everything, truth: truth)
      }
    }
    let share = SampleMeasure<Double>.share("figure", "") { $0 < 0.02 }
    let median = SampleMeasure<Double>.percentiles("figure", "", [50]) { $0 }
    let lumps: Draw = { $0.share() < 0.5 ? -1 - $0.share() / 10 : 1 + $0.share() / 10 }
    return [
      problem("share", 0.02, share, "0.02") { $0.share() },
      problem("rare share", 0.02, share, "30%") { $0.share() },
      problem("uniform mean", 0.5, .mean("figure", "", range: 0...1) { $0 }, "5%") { $0.share() },
      problem("exponential mean", 1, .mean("figure", "") { $0 }, "10%") { -log($0.share()) },
      problem("uniform median", 0.5, median, "0.06") { $0.share() },
      problem("two lumps", 0, median, "0.5", lumps),
    ]
  }

  /// Laws in a known range, with thresholds on the true mean.
  private static func lookedMeans(_ known: @escaping @Sendable (Measurement) -> Measurement) -> [CalibrationProblem] {
    Distribution.all.map { distribution in
      run(
        distribution.name, .mean("figure", "", range: distribution.range) { $0 },
        distribution.mean > 0.5 ? .above : .below, distribution.mean, on: .mean(in: distribution.range), samples: 512,
        known: known
      ) { Double(distribution.draw(&$0)) * Distribution.unit }
    }
  }

  /// A run that continues until its threshold is decided by a measurement that is an interval.
  private static var steeredThreshold: CalibrationProblem {
    let distribution = Distribution.all[4]
    return CalibrationProblem("steered") { generator, confidence in
      let measure = Measure("figure", meaning: "", kind: .interval(confidence: confidence), range: distribution.range)
      let threshold = threshold(.above, 0, confidence, on: measure)
      var sequence = try ConfidenceSequence(range: distribution.range, unit: Distribution.unit)
      var verdict = Verdict.undecided
      for _ in 0..<40 where verdict == .undecided {
        sequence.absorb(wave: distribution.tally(of: 10, using: &generator))
        let interval = sequence.interval(alpha: 1 - confidence)
        verdict = threshold.verdict(
          by: Measurement(
            measure,
            .interval(
              sequence.mean, low: interval.lowerBound, high: interval.upperBound, confidence: confidence,
              samples: sequence.count)))
      }
      return .verdicts([verdict])
    }
  }

  /// Labels whose figures all lie on the bound; wrong if any verdict is.
  private static func sharedThresholds(bonferroniDivisor: @escaping @Sendable (Int) -> Int) -> [CalibrationProblem] {
    func problem(
      _ name: String, labels: Int, trials: Int, chance: Double, _ comparator: Threshold.Comparator
    ) -> CalibrationProblem {
      CalibrationProblem(
        name,
        draw: { generator in (0..<labels).map { _ in generator.successes(of: trials, chance: chance) } },
        state: { successes, confidence in
          let threshold = threshold(
            comparator, chance, confidence, on: .share, bonferroniDivisor: bonferroniDivisor(labels))
          return .verdicts(
            successes.map {
              threshold.verdict(by: Measurement(.share, .proportion(successes: $0, trials: trials)))
            })
        })
    }
    return [
      problem("few", labels: 5, trials: 5, chance: 0.9, .below),
      problem("skewed", labels: 8, trials: 60, chance: 0.02, .above),
      problem("null", labels: 8, trials: 100, chance: 0.5, .above),
    ]
  }

  private static func isWaitAtMost(
    _ bound: Double, mean: Double, samples: Int, _ confidence: Double, bonferroniDivisor: Int,
    using generator: inout GSLGenerator
  ) -> Verdict {
    let threshold = threshold(.atMost, bound, confidence, bonferroniDivisor: bonferroniDivisor)
    return SampledTrial.verdict(samples: samples, of: Self.mean, draw: { -mean * log(generator.share()) }) {
      threshold.verdict(by: $0)
    }
  }

  private static func isShareAtMost(
    _ bound: Double, chance: Double, samples: Int, _ confidence: Double, bonferroniDivisor: Int,
    using generator: inout GSLGenerator
  ) -> Verdict {
    threshold(.atMost, bound, confidence, on: .share, bonferroniDivisor: bonferroniDivisor).verdict(
      by: Measurement(
        .share, .proportion(successes: generator.successes(of: samples, chance: chance), trials: samples)))
  }

  /// Searches from 0 to 1 for a place right below a value that is tried, each look with new samples: wrong if the
  /// answer excludes that place. The figure rises evenly, or hardly but at the ends, where it is clear: then every
  /// value between is next to the bound.
  private static func found(bonferroniDivisor: @escaping @Sendable (Int) -> Int) -> [CalibrationProblem] {
    let truth = 0.499_999
    func problem(
      _ name: String, samples: Int, isEven: Bool,
      _ verdict:
        @escaping @Sendable (_ figure: Double, Int, Double, _ bonferroniDivisor: Int, inout GSLGenerator) -> Verdict
    ) -> CalibrationProblem {
      CalibrationProblem(name) { generator, confidence in
        let isWrong = SearchTrial.isWrong(truth: truth, in: 0...1, precision: 0.125, samples: samples) {
          let figure = isEven || $0 == 0 || $0 == 1 ? 0.05 + 0.9 * $0 : 0.5 + ($0 - truth) / 1e6
          return verdict(figure, $1, confidence, bonferroniDivisor($2), &generator)
        }
        return .decision(isMade: isWrong != nil, isWrong: isWrong ?? false)
      }
    }
    func both(_ name: String, isEven: Bool) -> [CalibrationProblem] {
      let bound = isEven ? 0.05 + 0.9 * truth : 0.5
      return [
        problem("share \(name)", samples: 10, isEven: isEven) {
          isShareAtMost(bound, chance: $0, samples: $1, $2, bonferroniDivisor: $3, using: &$4)
        },
        problem("exponential \(name)", samples: 16, isEven: isEven) {
          isWaitAtMost(bound, mean: $0, samples: $1, $2, bonferroniDivisor: $3, using: &$4)
        },
      ]
    }
    return both("even", isEven: true) + both("flat", isEven: false)
  }

  /// Four values whose figures lie right above the bound, with samples of their own; wrong if any verdict is. A sweep's
  /// values draw the same random numbers, with which fewer runs have a wrong verdict.
  private static func swept(bonferroniDivisor: @escaping @Sendable (Int) -> Int) -> [CalibrationProblem] {
    func problem(
      _ name: String,
      _ verdict: @escaping @Sendable (_ figure: Double, Double, _ bonferroniDivisor: Int, inout GSLGenerator) -> Verdict
    ) -> CalibrationProblem {
      let figures = [0.2, 0.4, 0.6, 0.8]
      return CalibrationProblem(name) { generator, confidence in
        .verdicts(figures.map { verdict($0, confidence, bonferroniDivisor(figures.count), &generator) })
      }
    }
    return [
      problem("share") {
        isShareAtMost($0 - 1e-6, chance: $0, samples: 200, $1, bonferroniDivisor: $2, using: &$3)
      },
      problem("exponential") {
        isWaitAtMost($0 * 0.999, mean: $0, samples: 1_024, $1, bonferroniDivisor: $2, using: &$3)
      },
    ]
  }

  private typealias Claim = (atLeast: Double, chance: Double)
  private typealias CaseBlock = (cases: Int, hits: [Int])

  /// Claims that are barely true or barely false; wrong if any verdict is.
  private static func covers(
    _ verdicts: @escaping @Sendable ([CaseBlock], [Claim], Double) -> [CoverageFinding.Verdict]
  ) -> [CalibrationProblem] {
    func problem(_ name: String, blocks: Int, of cases: Int, _ claims: [Claim]) -> CalibrationProblem {
      CalibrationProblem(name) { generator, confidence in
        let drawn = (0..<blocks).map { _ in
          (cases: cases, hits: claims.map { generator.successes(of: cases, chance: $0.chance) })
        }
        let found = verdicts(drawn, claims, confidence)
        let wrong = zip(found, claims).contains { verdict, claim in
          verdict == (claim.chance >= claim.atLeast ? .fails : .holds)
        }
        return .decision(isMade: found.contains { $0 != .undecided }, isWrong: wrong)
      }
    }
    return [
      problem("few", blocks: 20, of: 1, [(0.9, 0.9)]),
      problem("skewed", blocks: 20, of: 25, [(0.02, 0.02), (0.01, 0.01)]),
      problem("boundary", blocks: 20, of: 10, [(1, 1), (0, 0)]),
      problem("null", blocks: 20, of: 25, [(0.3, 0.3), (0.3, 0.3), (0.3, 0.3)]),
      problem("just below", blocks: 20, of: 25, [(0.3, 0.299_999), (0.5, 0.499_999), (0.7, 0.699_999)]),
    ]
  }
}
