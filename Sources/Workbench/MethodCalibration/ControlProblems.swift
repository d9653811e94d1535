// SPDX-License-Identifier: GPL-3.0-or-later
internal import Glibc
internal import Randomness
internal import Sampling
internal import Scenarios

/// The control of a sample, as an experiment has it.
private struct Controlled: SampledExperiment {
  static let kind = "calibration.control"
  static let summary = ""
  static let parameters: [Parameter<Self>] = []
  static let measures: [SampleMeasure<(value: Double, control: Double)>] = [
    .mean("figure", "", control: { $0.control }, expecting: \Self.expectation) { $0.value }
  ]
  var expectation = 1.0
  func sample(_ random: inout RandomStream) -> (value: Double, control: Double) { (1, 1) }
}

extension StatedMethods {
  static var ofControls: [CalibrationMethod] {
    [
      CalibrationMethod("control", "the interval of a mean with a control variate", controls(isExact: true)),
      CalibrationMethod(
        "control-estimated", "a control whose expectation is the mean of 40 more samples", mutantOf: "control",
        controls(isExact: false)),
    ]
  }

  /// Exponential controls with numbers that follow them on a line, and uniform ones with numbers that follow them on a
  /// curve and not at all.
  private static func controls(isExact: Bool) -> [CalibrationProblem] {
    func problem(
      _ name: String, _ count: Int, _ truth: Double, isUniform: Bool = true,
      _ value: @escaping @Sendable (_ control: Double, Double) -> Double
    ) -> CalibrationProblem {
      CalibrationProblem(name) { generator, confidence in
        func number() -> Double { isUniform ? generator.share() : -log(generator.share()) }
        var core = Controlled(expectation: isUniform ? 0.5 : 1)
        if !isExact { core.expectation = (0..<40).map { _ in number() }.mean }
        let found = SampledTrial.measurement(
          samples: count, of: Controlled.measures[0], core: core,
          draw: {
            let control = number()
            return (value(control, number()), control)
          }, until: { _ in false })
        return .interval(found?.interval(at: confidence) ?? .everything, truth: truth)
      }
    }
    return [
      problem("line", 500, 3, isUniform: false) { 2 * $0 + $1 }, problem("curve", 200, 5.0 / 6) { $0 * $0 + $1 },
      problem("unrelated", 200, 0.5) { $1 },
    ]
  }
}
