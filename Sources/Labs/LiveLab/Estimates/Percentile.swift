// SPDX-License-Identifier: GPL-3.0-or-later
internal import Reporting
internal import Scenarios

/// Percentiles in percent, as users write them: `95`, `p99.9`, `97.5%`.
enum Percentile {
  static let range = 0.0001...99.9999

  /// The percent in a text, such as a measure's name after `prefix`.
  static func read(_ text: some StringProtocol, after prefix: String = "") -> Double? {
    guard text.hasPrefix(prefix) else { return nil }
    let rest = String(text.dropFirst(prefix.count))
    guard let percent = rest.wholeMatch(of: /p?([0-9]+(?:\.[0-9]+)?)%?/).flatMap({ Double($0.1) }) else { return nil }
    return range.contains(percent) ? percent : nil
  }

  /// The share of a percent, 0.999 for 99.9, with one rounding.
  static func share(_ percent: Double) -> Double { Double("\(NumberFormat.shortest(percent))e-2") ?? percent / 100 }
}

extension [Double] {
  /// The distinct numbers of both, ascending.
  func united(with others: [Double]) -> [Double] { Set(self + others).sorted() }
}

extension ValueType where Value == [Double] {
  static var percentiles: Self {
    let (low, high) = (
      NumberFormat.shortest(Percentile.range.lowerBound), NumberFormat.shortest(Percentile.range.upperBound)
    )
    let expected = "percentiles, each once, \(low) to \(high), such as 50,95,99.9"
    return Self(
      "percent", expected: expected, isList: true, schema: ["type": .array(["string", "number", "array"])],
      read: { field throws(ReportingError) in
        var all: [Double] = []
        for member in field.members {
          for text in try member.string(expected: expected).split(separator: ",", omittingEmptySubsequences: false) {
            guard let percent = Percentile.read(text), !all.contains(percent) else {
              throw member.bad(expected: expected)
            }
            all.append(percent)
          }
        }
        return all.sorted()
      }, write: { .array($0.map { .number($0) }) })
  }
}
