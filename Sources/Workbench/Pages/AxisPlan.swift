// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
internal import Reporting

/// The scale of an axis: its ends, and its ticks with their labels.
struct AxisPlan: Hashable {
  /// A tick with its label; a tick between labels has an empty one.
  struct Tick: Hashable {
    let position: Double
    let label: String
  }

  /// The values that an axis has to show, and the room for it.
  struct Demand {
    let values: ClosedRange<Double>
    /// True if bars grow from 0, or from a power of ten below the least value where the axis is logarithmic.
    var hasBars = false
    /// The margin at both ends, as a share of the axis; none at an end that cuts values off.
    var room = 0.0
    var isCut = false
    /// The least distance of labels: 1 if only whole numbers have a meaning.
    var minStep = 0.0
    /// True if the labels do not overlap.
    let fits: (AxisPlan) -> Bool
  }

  let range: ClosedRange<Double>
  var isLogarithmic = false
  /// True if the labels are names instead of numbers.
  var isNamed = false
  var ticks: [Tick] = []

  /// The position of a value: 0 at the beginning of the axis, 1 at its end.
  func share(of value: Double) -> Double {
    let position: (Double) -> Double = { isLogarithmic ? log10($0) : $0 }
    let (low, high) = (position(range.lowerBound), position(range.upperBound))
    return (position(value) - low) / (high - low)
  }

  static func names(_ labels: [String]) -> AxisPlan {
    AxisPlan(
      range: -0.5...(Double(max(labels.count, 1)) - 0.5), isNamed: true,
      ticks: labels.enumerated().map { Tick(position: Double($0), label: $1) })
  }

  static func linear(_ demand: Demand) -> AxisPlan {
    var (low, high) = (demand.values.lowerBound, demand.values.upperBound)
    if demand.hasBars { (low, high) = (min(low, 0), max(high, 0)) }
    let size = max(abs(low), abs(high))
    // Equal values, or values too close for labels of sixteen digits between them.
    if high - low <= size * 1e-12 {
      let margin = demand.minStep == 1 && size < 1e6 ? max(1, (size * 0.1).rounded()) : max(size * 0.1, 1e-300)
      (low, high) = size == 0 ? (-1, 1) : (low - margin, high + margin)
    } else {
      let margin = (high - low) * demand.room
      low -= low == 0 ? 0 : margin
      high += demand.hasBars && high == 0 || demand.isCut ? 0 : margin
    }
    return AxisPlan(range: low...high).withEvenTicks(demand)
  }

  static func logarithmic(_ demand: Demand) -> AxisPlan {
    let exponents = (log10(demand.values.lowerBound), log10(demand.values.upperBound))
    let margin = exponents.1 > exponents.0 ? (exponents.1 - exponents.0) * demand.room : 0.3
    let low = demand.hasBars ? (exponents.0 - 1e-9).rounded(.up) - 1 : exponents.0 - margin
    let high = exponents.1 + (demand.isCut ? 0 : margin)
    let range = pow(10, max(low, -320))...pow(10, min(high, 308))
    return AxisPlan(range: range, isLogarithmic: true).withDecades(demand)
  }

  /// Steps of 1, 2 or 5 times a power of ten, as many as fit.
  private func withEvenTicks(_ demand: Demand) -> AxisPlan {
    var best = self
    for maximum in (2...8).reversed() {
      let minimum = (range.upperBound - range.lowerBound) / Double(maximum)
      let power = pow(10, log10(minimum).rounded(.down))
      let even = [1, 2, 5, 10].map { $0 * power }.first { $0 >= minimum * (1 - 1e-9) } ?? power * 10
      let step = max(even, demand.minStep)
      let first = (range.lowerBound / step - 1e-9).rounded(.up)
      let last = (range.upperBound / step + 1e-9).rounded(.down)
      guard last >= first, last - first < 30 else { continue }
      let format = TickFormat(step: step, largest: max(abs(first), abs(last)) * step)
      best.ticks = (0...Int(last - first)).map { (first + Double($0)) * step }
        .filter { !isLogarithmic || $0 > 0 }.map { Tick(position: $0, label: format.label($0)) }
      if best.ticks.count >= 2, demand.fits(best) { break }
    }
    return best
  }

  /// Labels at 1, 2 and 5, or at 1 and 3, of few decades, else at powers of ten at equal distances, with ticks between
  /// where there is room; even steps if that gives fewer than two labels.
  private func withDecades(_ demand: Demand) -> AxisPlan {
    let powers = Int(log10(range.lowerBound).rounded(.down))...Int(log10(range.upperBound).rounded(.up))
    let decades = powers.count { range.contains(pow(10, Double($0))) }
    let few: [(digits: [Double], stride: Int)] = decades < 3 ? [([1, 2, 5], 1), ([1, 3], 1)] : []
    for wish in few + (1...max(1, decades)).map({ ([1], $0) }) {
      var plan = self
      plan.ticks = powers.flatMap { power in
        (decades > 8 ? [1] : [1, 2, 3, 4, 5, 6, 7, 8, 9]).map { digit in
          let position = digit * pow(10, Double(power))
          let isLabelled = wish.digits.contains(digit) && power.isMultiple(of: wish.stride)
          return Tick(position: position, label: isLabelled ? TickFormat.logarithmic(position) : "")
        }
      }.filter { range.contains($0.position) }
      if plan.ticks.count(where: { !$0.label.isEmpty }) >= 2, demand.fits(plan) { return plan }
    }
    return withEvenTicks(demand)
  }
}

/// The numbers along an axis: all with the same decimals and the same unit, short, without exponents where possible.
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
    // The small addend keeps a step slightly below 0.1, by rounding, from needing another digit.
    decimals = min(max(0, Int(-(log10(step / divisor) + 1e-6).rounded(.down))), 15)
  }

  /// A number with its unit: `1.5M` is a million and a half, `2e-7` is short for two ten-millionths.
  func label(_ value: Double) -> String {
    let digits = NumberFormat.fixed(value / divisor, decimals: decimals)
    return digits.allSatisfy { "0.".contains($0) } ? "0" : Self.signed(digits) + suffix
  }

  /// A number on a logarithmic axis, formatted independently of the others.
  static func logarithmic(_ value: Double) -> String {
    let exponent = (log10(value) + 1e-9).rounded(.down)
    if value >= 1e15 || value < 0.99e-4 {
      return NumberFormat.fixed((value / pow(10, exponent)).rounded(), decimals: 0) + "e\(Int(exponent))"
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
