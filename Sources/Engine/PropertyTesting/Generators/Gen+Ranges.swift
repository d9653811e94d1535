// SPDX-License-Identifier: GPL-3.0-or-later

extension Gen {
  /// Closed ranges between two bounds. Counterexamples shrink towards a single number near zero.
  ///
  /// - Parameter bounds: What the ranges may span.
  /// - Returns: A generator of ranges.
  public static func closedRanges<Bound: FixedWidthInteger & Sendable>(
    in bounds: ClosedRange<Bound> = Bound.min...Bound.max
  ) -> Gen<ClosedRange<Bound>> where Value == ClosedRange<Bound> {
    let lower = Gen<Bound>.integers(in: bounds)
    return Gen<ClosedRange<Bound>>(span: .tuple) { draws in
      let low = try lower.make(&draws)
      let rest = low...bounds.upperBound
      if Bound.bitWidth > 64 { return low...(try Gen<Bound>.integers(in: rest, towards: low).make(&draws)) }
      return low...Gen<Bound>.unordered(try draws.integer(Gen<Bound>.domain(rest, towards: low)))
    }
  }

  /// Half-open ranges between two bounds, empty ones among them. Counterexamples shrink towards an empty one near zero.
  ///
  /// - Parameter bounds: What the ranges may span; their upper bounds may be the last of it.
  /// - Returns: A generator of ranges.
  public static func ranges<Bound: FixedWidthInteger & Sendable>(
    in bounds: ClosedRange<Bound> = Bound.min...Bound.max
  ) -> Gen<Range<Bound>> where Value == Range<Bound> {
    Gen<ClosedRange<Bound>>.closedRanges(in: bounds).map { $0.lowerBound..<$0.upperBound }
  }
}
