// SPDX-License-Identifier: GPL-3.0-or-later
internal import Reporting

/// What a scenario asks of a measurement, for example `reconnect.success >= 95% at 0.99`.
///
/// The grammar is `NAME COMPARATOR NUMBER [at CONFIDENCE]` with the comparators `>=`, `<=`, `>`, `<`, `==` and `!=`,
/// and `NAME in LOW..HIGH [at CONFIDENCE]`. A name may carry a label in brackets, a number may end in `%`. In place of
/// a number `baseline`, `baseline + MARGIN` or `baseline - MARGIN` stands for what an earlier run has measured, where a
/// margin in percent is that share of the earlier figure's size.
package struct Threshold: Hashable, Sendable {
  /// A number as it was written.
  package struct Number: Hashable, Sendable {
    /// The digits, 95 for `95%`.
    package let written: Double
    /// Whether a percent sign stands behind them.
    package let isPercent: Bool

    /// A number.
    package init(_ written: Double, isPercent: Bool = false) {
      (self.written, self.isPercent) = (written, isPercent)
    }

    /// What it means: 0.95 for `95%`.
    package var value: Double {
      // Shifting the digits rounds once; dividing by 100 would round twice and make 0.9990000000000001 of 99.9%.
      isPercent ? Double(NumberFormat.shortest(written) + "e-2") ?? written / 100 : written
    }

    /// The number as thresholds write it, in as few digits as read back as the same.
    package var text: String { NumberFormat.shortest(written) + (isPercent ? "%" : "") }
  }

  /// What the measurement is compared by.
  package enum Comparator: String, CaseIterable, Hashable, Sendable {
    case atLeast = ">="
    case atMost = "<="
    case above = ">"
    case below = "<"
    case equal = "=="
    case unequal = "!="
  }

  /// What is asked of the measurement.
  package enum Condition: Hashable, Sendable {
    /// It stands on one side of a number, on it, or not on it.
    case compared(Comparator, Number)
    /// It lies between two numbers or on one of them.
    case within(low: Number, high: Number)

    /// It is compared with what an earlier run has measured and a margin, below 0 for `baseline - MARGIN`.
    case relative(Comparator, margin: Number)

    /// The numbers it names, from below to above; none where it is relative.
    package var numbers: [Number] {
      switch self {
      case .compared(_, let number): [number]
      case .within(let low, let high): [low, high]
      case .relative: []
      }
    }
  }

  /// The name of the measurement without a label: `ev`.
  package let name: String
  /// The label in brackets; `nil` where there is none.
  package let label: String?
  /// What is asked of it.
  package let condition: Condition
  /// How sure the judgement has to be; `nil` for what has no sampling error.
  package let confidence: Number?
  /// Who says that it must hold; empty where nobody is named.
  package let source: String
  /// The line of the scenario's file, from 1; 0 where it comes from no file.
  package let line: Int

  /// A threshold.
  ///
  /// - Parameters:
  ///   - name: the measurement's name.
  ///   - label: its label, if it has one.
  ///   - condition: what is asked of it.
  ///   - confidence: above 0.5 and below 1; `nil` for what has no sampling error.
  ///   - source: who says that it must hold.
  ///   - line: where it stands in the scenario's file.
  package init(
    name: String, label: String? = nil, _ condition: Condition, confidence: Number? = nil, source: String = "",
    line: Int = 0
  ) {
    (self.name, self.label, self.condition, self.confidence) = (name, label, condition, confidence)
    (self.source, self.line) = (source, line)
  }

  /// Reads a threshold.
  ///
  /// - Parameters:
  ///   - text: the text by the grammar above; spaces between its parts do not matter.
  ///   - source: who says that it must hold.
  ///   - line: where it stands in the scenario's file.
  /// - Throws: `ThresholdError` with the column, what was found and what was expected.
  package init(_ text: String, source: String = "", line: Int = 0) throws(ThresholdError) {
    var parser = ThresholdParser(text)
    let parts = try parser.threshold()
    self.init(
      name: parts.name, label: parts.label, parts.condition, confidence: parts.confidence, source: source, line: line)
  }

  /// The threshold in the grammar's own spacing; reading it gives the same threshold.
  package var text: String { text(of: fullName) }

  /// The name with its label, as it was written.
  package var fullName: String { label.map { "\(name)[\($0)]" } ?? name }

  /// The same asked of a measurement by another name, such as one of several labels.
  func text(of measurement: String) -> String {
    let asked =
      switch condition {
      case .compared(let comparator, let number): "\(comparator.rawValue) \(number.text)"
      case .within(let low, let high): "in \(low.text)..\(high.text)"
      case .relative(let comparator, let margin): "\(comparator.rawValue) baseline\(margin.asMargin)"
      }
    return "\(measurement) \(asked)" + (confidence.map { " at \($0.text)" } ?? "")
  }
}
