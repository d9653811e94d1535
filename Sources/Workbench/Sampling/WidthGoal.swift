// SPDX-License-Identifier: GPL-3.0-or-later
internal import Reporting
package import Scenarios
internal import Statistics

/// The half-width of an interval at which a run of samples ends: `0.05`, `5%` of the estimate, or `wait=5%` for a
/// measure other than the first.
package struct WidthGoal: Hashable, Sendable {
  /// The name of the measure, with or without a label; `nil` for the first measure of samples.
  let measure: String?
  /// The half-width, in the unit of the measure, or as a part of the estimate.
  let width: Double
  let isRelative: Bool

  /// The goal of a text; `nil` if it is none.
  package init?(_ text: String) {
    // A label may have an equals sign as well.
    let end = text.lastIndex(of: "=")
    let number = text[(end.map(text.index(after:)) ?? text.startIndex)...].trimmingPrefix(" ")
    let isRelative = number.hasSuffix("%")
    guard let width = Double(isRelative ? number.dropLast() : number), width > 0, width.isFinite else { return nil }
    let name = end.map { String(text[..<$0]).trimmingSpaces }
    guard name?.isEmpty != true else { return nil }
    (measure, self.width, self.isRelative) = (name, isRelative ? width / 100 : width, isRelative)
  }

  var text: String {
    (measure.map { $0 + "=" } ?? "")
      + (isRelative ? "\(NumberFormat.shortest((width * 100 * 1e9).rounded() / 1e9))%" : NumberFormat.shortest(width))
  }

  static let type = ValueType<String>.text("width", expected: "a width").map(
    expected: "a half-width such as 0.05 or 5%, of the first measure, or wait=5% of another one", Self.init,
    back: \.text)

  /// The measurements that it is about.
  func measurements(in all: [Measurement]) -> [Measurement] {
    guard let name = measure ?? all.first(where: { $0.samples != nil })?.measure.name else { return [] }
    return all.filter { $0.samples != nil && ($0.measure.fullName == name || $0.measure.name == name) }
  }

  /// True if the interval of a measurement is as narrow as asked for.
  package func isReached(by one: Measurement, at confidence: Double) -> Bool {
    excess(of: one, at: confidence) <= 1
  }

  /// The half-width of a measurement's interval over the one that was asked for.
  private func excess(of one: Measurement, at confidence: Double) -> Double {
    let half = halfWidth(of: one, at: confidence)
    let goal = isRelative ? width * abs(one.estimate) : width
    return half.isFinite && goal > 0 ? half / goal : .infinity
  }

  private func halfWidth(of one: Measurement, at confidence: Double) -> Double {
    let range = one.knownRange(at: confidence)
    return max(range.upperBound - one.estimate, one.estimate - range.lowerBound)
  }

  /// True if it is reached by all measurements that it is about, none of which is too small a sample.
  func isReached(in all: [Measurement], at confidence: Double) -> Bool {
    let found = measurements(in: all)
    return !found.isEmpty
      && found.allSatisfy { $0.mayEndRun && isReached(by: $0, at: confidence) }
  }

  /// The undecided statement of a run that drew all its samples, or those before its deadline, and has not reached it;
  /// `nil` if it has.
  func unreached(
    in all: [Measurement], at confidence: Double, samples: Int, isWhole: Bool
  ) -> EvaluatedThreshold? {
    let found = measurements(in: all).map { (one: $0, excess: excess(of: $0, at: confidence)) }
    guard let worst = found.max(by: { $0.excess < $1.excess }), worst.excess > 1 else { return nil }
    let needed = Double(samples) * worst.excess * worst.excess
    let name = worst.one.measure.fullName
    let asked = isRelative ? "\(NumberFormat.shortest(width * 100))%" : NumberFormat.shortest(width)
    return EvaluatedThreshold(
      text: "half-width of \(name) <= \(asked)",
      measurement: name, source: "", line: 0, verdict: .undecided,
      found: "\(worst.one.text(at: confidence)) at \(NumberFormat.shortest(confidence)), from "
        + (isWhole ? "all samples" : "\(NumberFormat.grouped(samples)) samples, at the deadline"),
      advice: needed < 1e10
        ? "about \(NumberFormat.grouped(Self.rounded(needed))) samples in all" : "many more samples",
      errorProbability: 0, basis: worst.one.basis)
  }

  /// A number rounded up to two digits.
  private static func rounded(_ number: Double) -> Int {
    var unit = 1.0
    while number / unit >= 100 { unit *= 10 }
    return Int((number / unit).rounded(.up) * unit)
  }
}

extension String {
  /// The text without spaces around it.
  fileprivate var trimmingSpaces: String {
    String(trimmingPrefix(" ").reversed().trimmingPrefix(" ").reversed())
  }
}
