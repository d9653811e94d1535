// SPDX-License-Identifier: GPL-3.0-or-later

extension Gen where Value == Double {
  /// Double-precision numbers: integers, short decimals and numbers of any magnitude, often the nasty ones.
  ///
  /// Nasty are the bounds and their neighbours, both zeros, subnormal numbers, one unit in the last place around 1, the
  /// end of the exact integers and the greatest numbers. Counterexamples shrink towards 0 and towards integers, then
  /// towards few binary digits after the point; the sign goes when it does not matter.
  ///
  /// - Parameters:
  ///   - range: The numbers to choose from; all finite ones when nothing is said. -0 is taken to be less than 0.
  ///   - allowed: Infinities and NaN, which come only when they are named here or the range has infinite bounds.
  ///   - constants: Numbers of the code on trial that are tried more often, such as its limits.
  /// - Returns: A generator of numbers.
  public static func doubles(
    in range: ClosedRange<Double> = -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude,
    allowing allowed: NonFinite = [], constants: [Double] = []
  ) -> Gen<Double> {
    let domain = RealDomain(range, allowed, constants)
    return Gen(node: { draws in try domain.draw(&draws) })
  }
}

extension Gen where Value == Float {
  /// Single-precision numbers, chosen and shrunk like those of `doubles(in:allowing:constants:)`.
  ///
  /// - Parameters:
  ///   - range: The numbers to choose from; all finite ones when nothing is said. -0 is taken to be less than 0.
  ///   - allowed: Infinities and NaN, which come only when they are named here or the range has infinite bounds.
  ///   - constants: Numbers of the code on trial that are tried more often, such as its limits.
  /// - Returns: A generator of numbers.
  public static func floats(
    in range: ClosedRange<Float> = -Float.greatestFiniteMagnitude...Float.greatestFiniteMagnitude,
    allowing allowed: NonFinite = [], constants: [Float] = []
  ) -> Gen<Float> {
    let domain = RealDomain(range, allowed, constants)
    return Gen(node: { draws in Float(try domain.draw(&draws)) })
  }
}
