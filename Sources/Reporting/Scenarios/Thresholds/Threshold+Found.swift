// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
internal import Reporting

extension Threshold.Part {
  /// What was found, for people: the figure, what it is known to lie in as far as it decided the judgement, and the
  /// samples; in percent where the threshold is.
  func found(_ judgement: Judgement) -> String {
    switch measurement.value {
    case .exact(let value):
      value.isNaN ? "no number" : figure(value, decimals: decimals(for: [value], width: nil)) + unit
    case .count(let count, let undecided):
      NumberFormat.grouped(count) + unit
        + (undecided > 0 ? ", and \(NumberFormat.grouped(undecided)) undecided" : "")
    case .proportion(_, let trials):
      trials < 1 ? "no samples" : sampled(judgement, samples: trials)
    case .mean(let mean, _, let samples):
      samples < 1 ? "no samples" : mean.isNaN ? "no number" : sampled(judgement, samples: samples)
    case .interval(let value, _, _, let own, let samples):
      value.isNaN ? "no number" : sampled(judgement, samples: samples, at: own)
    }
  }

  /// Where only one-sided bounds decide, those are shown: the two ends hold at the confidence each, not together.
  private func sampled(_ judgement: Judgement, samples: Int, at own: Double? = nil) -> String {
    var isTwoSided = false
    if case .within = threshold.condition { isTwoSided = judgement != .holds }
    let range = isTwoSided ? measurement.interval(at: confidence) : measurement.bounds(at: confidence)
    let count = samples > 0 ? "; \(NumberFormat.grouped(samples)) \(samples == 1 ? "sample" : "samples")" : ""
    let estimate = measurement.estimate
    let width = max(range.upperBound - estimate, estimate - range.lowerBound)
    guard width.isFinite else {
      return figure(estimate, decimals: decimals(for: [estimate], width: nil)) + unit
        + " (nothing known at \(NumberFormat.shortest(confidence))\(count))"
    }
    let decimals = decimals(for: [estimate, range.lowerBound, range.upperBound], width: width)
    let ends = figure(range.lowerBound, decimals: decimals) + ".." + figure(range.upperBound, decimals: decimals)
    let confidence = NumberFormat.shortest(own ?? Self.tidied(confidence))
    return figure(estimate, decimals: decimals) + unit
      + " (\(ends)\(isTwoSided || own != nil ? "" : ", each end") at \(confidence)\(count))"
  }

  private var isPercent: Bool { threshold.condition.numbers.contains(where: \.isPercent) }

  private var unit: String {
    measurement.measure.unit.isEmpty || isPercent ? "" : " \(measurement.measure.unit)"
  }

  private func figure(_ value: Double, decimals: Int) -> String {
    digits(value, decimals: decimals) + (isPercent ? "%" : "")
  }

  private func digits(_ value: Double, decimals: Int) -> String {
    let (scaled, whole) = isPercent ? (value * 100, 100.0) : (value, 1)
    return isShare
      ? NumberFormat.share(scaled, decimals: decimals, of: whole) : NumberFormat.fixed(scaled, decimals: decimals)
  }

  /// Whether it is a part of a whole, or a mere number that is known to lie where such a part does: then neither
  /// nothing nor all of it may be claimed by rounding.
  private var isShare: Bool {
    if case .proportion = measurement.value { return true }
    guard measurement.measure.unit.isEmpty else { return false }
    let range = measurement.bounds(at: confidence)
    return range.lowerBound >= 0 && range.upperBound <= 1
  }

  /// As many decimals as the width deserves - two digits of it - or six digits of what has none, and as many more as it
  /// takes for the figures to stand on the same side of the threshold's numbers as printed as they do in truth; at
  /// most 12.
  private func decimals(for values: [Double], width: Double?) -> Int {
    let scale = isPercent ? 100.0 : 1
    let size = (width.map { $0 / 10 } ?? (abs(values.first ?? 0) / 1e5)) * scale
    let isWhole = width == nil && values.allSatisfy { ($0 * scale).rounded() == $0 * scale }
    var decimals = size > 0 && size.isFinite && !isWhole ? min(12, max(0, Int((-log10(size)).rounded(.up)))) : 0
    func isFaithful(_ decimals: Int) -> Bool {
      values.allSatisfy { value in
        let printed = Double(digits(value, decimals: decimals)) ?? .nan
        return threshold.condition.numbers.allSatisfy { number in
          let bound = number.isPercent ? number.written : number.written * scale
          return (printed < bound, printed > bound) == (value < number.value, value > number.value)
        }
      }
    }
    while decimals < 12, !isFaithful(decimals) { decimals += 1 }
    return decimals
  }

  /// A confidence without the digits that rounding leaves behind its own.
  static func tidied(_ confidence: Double) -> Double {
    Double(String(format: "%.12g", confidence)) ?? confidence
  }
}
