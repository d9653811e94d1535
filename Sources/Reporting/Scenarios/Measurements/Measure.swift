// SPDX-License-Identifier: GPL-3.0-or-later

/// Something that a scenario measures: a name for thresholds, and what the figure means.
package struct Measure: Hashable, Sendable {
  /// What kind of figure it is, which decides what a threshold may ask of it.
  package enum Nature: Hashable, Sendable {
    /// Computed, without sampling error; a threshold takes no confidence.
    case exact
    /// Counted; what is not decided yet leaves it open. A threshold takes no confidence.
    case count
    /// A share of independent trials; a threshold states its confidence.
    case proportion
    /// The mean of independent observations; a threshold states its confidence.
    case mean
    /// Known to lie in an interval of this confidence; a threshold can ask for no more than that.
    case interval(confidence: Double)
  }

  /// The name that thresholds use: words joined by points, for example `chart.mismatches`.
  package let name: String
  /// What it is measured of, where a scenario measures several: for example the rules `6d`.
  package let label: String?
  /// One line for people: what the figure means.
  package let meaning: String
  /// The unit, for example `bets`; empty for a mere number.
  package let unit: String
  /// What kind of figure it is.
  package let nature: Nature
  /// Whether it is a share or a chance, which lies from 0 to 1.
  package let isShare: Bool

  /// A measure; a proportion is always a share.
  package init(
    _ name: String, of label: String? = nil, meaning: String, unit: String = "", nature: Nature, isShare: Bool = false
  ) {
    (self.name, self.label, self.meaning, self.unit, self.nature) = (name, label, meaning, unit, nature)
    self.isShare = isShare || nature == .proportion
  }

  /// The name with its label, as thresholds write it: `ev[6d]`.
  package var fullName: String { label.map { "\(name)[\($0)]" } ?? name }
}
