// SPDX-License-Identifier: GPL-3.0-or-later
internal import Reporting
internal import Scenarios
internal import Statistics

/// A mean that is corrected by a control variate: with numbers y, controls c of expectation m, and the coefficient b of
/// their regression it is mean(y) - b (mean(c) - m). Its variance is that of the residuals around the line at m, with
/// two degrees of freedom fewer than samples: exact if y and c are jointly normal, otherwise asymptotically, with the
/// shape of the residuals. Its bias is -E[e (c - m)^2] / (n Var c), with the residual e.
///
/// Source: Lavenberg and Welch, "A perspective on the use of control variables to increase the efficiency of Monte
/// Carlo simulations", Management Science 27 (1981).
struct ControlledMean {
  /// The standard errors from its expectation beyond which a control is not used: fewer than one in 10^8 of right ones.
  private static let farthest = 6.0

  let name: String
  private(set) var mean = Double.nan
  /// The standard deviation that gives the standard error when divided by the root of the number of samples.
  private(set) var deviation = 0.0
  private var samples = 0
  private var shape: SampleShape?
  private var control: (mean: Double, expectation: Double, coefficient: Double, errors: Double)?
  /// The number of times that many samples would be needed without the control; 1 if it was not used.
  private(set) var gain = 1.0

  /// - Parameters:
  ///   - name: the name of the measure.
  ///   - moments: those of the numbers and the controls.
  ///   - ranges: the ranges of both.
  ///   - expectation: that of the control; `nil` if it is unknown.
  init(_ name: String, _ moments: JointMoments?, in ranges: [ClosedRange<Double>], expecting expectation: Double?) {
    self.name = name
    guard let moments, moments.count > 0 else { return }
    samples = moments.count
    let all = Double(samples)
    let (squares, products) = ((own: moments.product(0, 0), control: moments.product(1, 1)), moments.product(0, 1))
    mean = moments.means[0]
    deviation = samples > 1 ? (squares.own / (all - 1)).squareRoot() : 0
    func seen(_ weights: [Double], coefficients: Int) -> SampleShape? {
      moments.isRounding(moments.sum(of: weights, power: 2), weights)
        ? nil : moments.shape(of: weights, around: mean, in: ranges, coefficients: coefficients)
    }
    guard let expectation, expectation.isFinite, samples > 2 else {
      shape = seen([1, 0], coefficients: 0)
      return
    }
    let distance = moments.means[1] - expectation
    let size = all * moments.means[1] * moments.means[1]
    let isConstant = squares.control <= size * 1e-24
    let error = (squares.control / (all - 1) / all).squareRoot()
    let errors =
      isConstant ? (abs(distance) > 1e-9 * max(1, abs(expectation)) ? .infinity : 0) : distance / error
    guard !isConstant, abs(errors) <= Self.farthest else {
      if errors != 0 { control = (moments.means[1], expectation, 0, errors) }
      shape = seen([1, 0], coefficients: 0)
      return
    }
    let coefficient = products / squares.control
    let weights = [1, -coefficient]
    mean -= coefficient * distance
    shape = seen(weights, coefficients: 1)
    let residual = shape == nil ? 0 : moments.sum(of: weights, power: 2) / (all - 2)
    let plain = deviation
    deviation = (residual * (1 + all * distance * distance / squares.control)).squareRoot()
    gain = deviation > 0 ? plain * plain / (deviation * deviation) : .infinity
    control = (moments.means[1], expectation, coefficient, errors)
  }

  var figures: (Measurement.Value, Measurement.Evidence?) {
    (.mean(mean, standardDeviation: deviation, samples: samples), shape.map { .shape($0) })
  }

  /// A sentence about the gain; `nil` if there is no control, or a constant one.
  var text: String? {
    guard let control else { return nil }
    let (found, wanted) = (NumberFormat.significant(control.mean), NumberFormat.significant(control.expectation))
    guard abs(control.errors) <= Self.farthest else {
      let errors =
        control.errors.isInfinite
        ? "in every sample" : "\(NumberFormat.fixed(abs(control.errors), decimals: 0)) standard errors away"
      return "\(name): Warning: the control has the mean \(found), expected \(wanted), \(errors). It was not used; "
        + "correct 'expecting:' or 'control:'."
    }
    return "\(name): the control is as good as \(NumberFormat.times(gain)) the samples. Its coefficient is "
      + "\(NumberFormat.fixed(control.coefficient, decimals: 3)), estimated from the same samples."
  }

  var json: JSONValue {
    ["name": .string(name), "gain": .figure(gain), "coefficient": .figure(control?.coefficient ?? 0)]
  }
}

extension NumberFormat {
  /// A factor for people: `2.3 times`.
  static func times(_ factor: Double) -> String {
    factor.isInfinite ? "any number of times" : "\(fixed(factor, decimals: factor < 10 ? 1 : 0)) times"
  }
}
