// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
internal import Reporting
internal import Scenarios

/// An axis ready to be drawn: from where to where, and where which numbers stand.
struct AxisPlan: Hashable {
  /// A mark with its label; an empty label for a mark between.
  struct Tick: Hashable {
    let place: Double
    let label: String
  }

  let range: ClosedRange<Double>
  let isLogarithmic: Bool
  /// Whether names stand where numbers would.
  var isNamed = false
  let ticks: [Tick]

  var longestLabel: Int { ticks.map(\.label.count).max() ?? 0 }

  struct Demand {
    let values: ClosedRange<Double>
    /// Whether bars grow from 0, or from a power of ten below the least value where the axis is logarithmic.
    let hasBars: Bool
    /// Room left at both ends, as a share of the whole.
    let room: Double
    /// The least distance of labels: 1 where only whole numbers mean anything.
    var leastStep = 0.0
    /// Whether so many labels, the longest of so many characters, stand beside one another.
    let fits: (_ count: Int, _ longest: Int) -> Bool
  }

  static func linear(_ demand: Demand) -> AxisPlan? {
    var (low, high) = (demand.values.lowerBound, demand.values.upperBound)
    if demand.hasBars { (low, high) = (min(low, 0), max(high, 0)) }
    guard max(abs(low), abs(high)) < 1e300, high - low < 1e300 else { return nil }
    let size = max(abs(low), abs(high))
    // Equal values, or so nearly equal that sixteen digits cannot label what is between them.
    if high - low <= size * 1e-12 {
      let margin = demand.leastStep == 1 && size < 1e6 ? max(1, (size * 0.1).rounded()) : max(size * 0.1, 1e-300)
      (low, high) = size == 0 ? (-1, 1) : (low - margin, high + margin)
    } else {
      let margin = (high - low) * demand.room
      low -= demand.hasBars && low == 0 ? 0 : margin
      high += demand.hasBars && high == 0 ? 0 : margin
    }
    return AxisPlan(range: low...high, isLogarithmic: false, ticks: evenTicks(in: low...high, demand))
  }

  static func logarithmic(_ demand: Demand) -> AxisPlan {
    let exponents = (log10(demand.values.lowerBound), log10(demand.values.upperBound))
    let margin = exponents.1 > exponents.0 ? (exponents.1 - exponents.0) * demand.room : 0.3
    var (low, high) = (exponents.0 - margin, exponents.1 + margin)
    if demand.hasBars { low = (exponents.0 - 1e-9).rounded(.up) - 1 }
    (low, high) = (max(low, -320), min(high, 308))
    let range = pow(10, low)...pow(10, high)
    let decades = Int(low.rounded(.up))...max(Int(low.rounded(.up)), Int((high + 1e-9).rounded(.down)))
    let powers = decades.filter { range.contains(pow(10, Double($0))) }
    let ticks =
      powers.count >= 3
      ? decadeTicks(powers, in: range, fits: demand.fits) : halfDecadeTicks(in: range, demand)
    return AxisPlan(range: range, isLogarithmic: true, ticks: ticks)
  }

  static func names(_ labels: [String]) -> AxisPlan {
    AxisPlan(
      range: -0.5...(Double(max(labels.count, 1)) - 0.5), isLogarithmic: false,
      isNamed: true, ticks: labels.enumerated().map { Tick(place: Double($0), label: $1) })
  }

  /// Steps of 1, 2 or 5 times a power of ten, as many as fit.
  private static func evenTicks(in range: ClosedRange<Double>, _ demand: Demand) -> [Tick] {
    var best: [Tick] = []
    for most in (2...9).reversed() {
      let step = max(evenStep((range.upperBound - range.lowerBound) / Double(most)), demand.leastStep)
      let first = (range.lowerBound / step - 1e-9).rounded(.up)
      let last = (range.upperBound / step + 1e-9).rounded(.down)
      guard last >= first, last - first < 30 else { continue }
      let format = TickFormat(step: step, largest: max(abs(first), abs(last)) * step)
      best = (0...Int(last - first)).map { index in
        let place = (first + Double(index)) * step
        return Tick(place: place, label: format.label(place))
      }
      if best.count >= 2, demand.fits(best.count, best.map(\.label.count).max() ?? 0) { break }
    }
    return best
  }

  private static func evenStep(_ least: Double) -> Double {
    let power = pow(10, log10(least).rounded(.down))
    return [1, 2, 5, 10].map { $0 * power }.first { $0 >= least * (1 - 1e-9) } ?? power * 10
  }

  /// Powers of ten, every second or third where all would not fit, with marks between where there is room.
  private static func decadeTicks(
    _ powers: [Int], in range: ClosedRange<Double>, fits: (Int, Int) -> Bool
  ) -> [Tick] {
    let longest = powers.map { TickFormat.logarithmic(pow(10, Double($0))).count }.max() ?? 0
    let stride = (1...powers.count).first { fits((powers.count + $0 - 1) / $0, longest) } ?? powers.count
    let between = powers.count <= 8 ? [2.0, 3, 4, 5, 6, 7, 8, 9] : []
    let lowest = (powers.first ?? 0) - 1
    return (lowest...(powers.last ?? 0)).flatMap { power -> [Tick] in
      let unit = pow(10, Double(power))
      let isLabelled = power.isMultiple(of: stride)
      let whole = Tick(place: unit, label: isLabelled ? TickFormat.logarithmic(unit) : "")
      return [whole] + between.map { Tick(place: $0 * unit, label: "") }
    }.filter { range.contains($0.place) }
  }

  /// 1, 2 and 5 in every decade where there are few; even steps where even those are too few.
  private static func halfDecadeTicks(in range: ClosedRange<Double>, _ demand: Demand) -> [Tick] {
    let powers = Int(log10(range.lowerBound).rounded(.down))...Int(log10(range.upperBound).rounded(.up))
    let places = powers.flatMap { power in [1.0, 2, 5].map { $0 * pow(10, Double(power)) } }.filter(range.contains)
    guard places.count >= 3 else { return evenTicks(in: range, demand).filter { $0.place > 0 } }
    return places.map { Tick(place: $0, label: TickFormat.logarithmic($0)) }
  }
}

/// The numbers along an axis: all with the same decimals and the same unit, short, in plain style where they can be.
struct TickFormat {
  private static let units: [(size: Double, sign: String)] = [(1e12, "T"), (1e9, "B"), (1e6, "M"), (1e3, "k")]

  private let divisor: Double
  private let suffix: String
  private let decimals: Int

  init(step: Double, largest: Double) {
    if largest >= 1e15 || largest < 1e-4 {
      let exponent = log10(max(largest, .leastNormalMagnitude)).rounded(.down)
      (divisor, suffix) = (pow(10, exponent), "e\(Int(exponent))")
    } else if largest >= 10_000, let unit = Self.units.first(where: { largest >= $0.size }) {
      (divisor, suffix) = (unit.size, unit.sign)
    } else {
      (divisor, suffix) = (1, "")
    }
    // A hair is taken off, so that a step of 0.1 that came out a little smaller does not ask for another digit.
    decimals = min(max(0, Int(-(log10(step / divisor) + 1e-6).rounded(.down))), 15)
  }

  /// A number with its unit: `1.5M` is a million and a half, `2e-7` is short for two ten-millionths.
  func label(_ value: Double) -> String {
    let digits = NumberFormat.fixed(value / divisor, decimals: decimals)
    let isNothing = digits.allSatisfy { "0.".contains($0) }
    return isNothing ? "0" : Self.signed(digits) + suffix
  }

  /// A number on a logarithmic axis, by itself.
  static func logarithmic(_ value: Double) -> String {
    let exponent = (log10(value) + 1e-9).rounded(.down)
    if value >= 1e15 || value < 0.99e-4 {
      let digits = NumberFormat.fixed((value / pow(10, exponent)).rounded(), decimals: 0)
      return "\(digits)e\(Int(exponent))"
    }
    if value >= 10_000, let unit = units.first(where: { value >= $0.size * (1 - 1e-9) }) {
      return NumberFormat.fixed(value / unit.size, decimals: 0) + unit.sign
    }
    return NumberFormat.fixed(value, decimals: max(0, -Int(exponent)))
  }

  private static func signed(_ digits: String) -> String {
    digits.hasPrefix("-") ? "\u{2212}" + digits.dropFirst() : digits
  }
}
