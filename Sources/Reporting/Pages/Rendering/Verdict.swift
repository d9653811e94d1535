// SPDX-License-Identifier: GPL-3.0-or-later
internal import Reporting
internal import Scenarios

/// What stands at the top of a page: a word with its sign and a sentence that says how it comes about.
struct Verdict {
  /// The judgement; `nil` for a run that is not complete.
  let judgement: Judgement?
  /// The thresholds it comes of.
  let thresholds: [JudgedThreshold]

  /// The judgement in a word, with the name of its sign and style.
  var values: TemplateValues { Self.values(of: judgement) }

  /// A judgement in a word, with the name of its sign and style.
  static func values(of judgement: Judgement?) -> TemplateValues {
    ["style": judgement?.rawValue ?? "incomplete", "word": word(for: judgement)]
  }

  /// The judgement in a word; what fails is loud.
  static func word(for judgement: Judgement?) -> String {
    switch judgement {
    case .holds: "holds"
    case .fails: "FAILS"
    case .undecided: "undecided"
    case nil: "incomplete"
    }
  }

  /// How many thresholds hold, fail and are undecided.
  var sentence: String {
    guard judgement != nil else { return "The run is not complete, so there is no verdict." }
    guard !thresholds.isEmpty else { return "The scenario sets no thresholds, so nothing was judged." }
    let counts = [Judgement.fails, .undecided, .holds].compactMap { judgement in
      let count = thresholds.count { $0.judgement == judgement }
      return count == 0 ? nil : (count, judgement)
    }
    if let (count, judgement) = counts.first, counts.count == 1 {
      let verb = Self.verb(for: judgement, count: count)
      return count == 1 ? "The threshold \(verb)." : "All \(NumberFormat.grouped(count)) thresholds \(verb)."
    }
    let parts = counts.map { "\(NumberFormat.grouped($0)) \(Self.verb(for: $1, count: $0))" }
    let start = parts.dropLast().joined(separator: ", ")
    return "Of \(NumberFormat.grouped(thresholds.count)) thresholds, \(start) and \(parts.last ?? "")."
  }

  /// The sum of the judgements' error probabilities, in a sentence; empty without thresholds.
  var risk: String {
    let sum = thresholds.reduce(0) { $0 + $1.errorProbability }
    if thresholds.isEmpty { return "" }
    if sum <= 0 { return "All of it is computed or counted: chance has no part in these judgements." }
    return "Before any sampling, the chance that even one of these judgements would come out wrong was "
      + "\(Self.bound(sum)): the sum of their error probabilities."
  }

  /// An upper bound in two digits, never below the number itself.
  static func bound(_ probability: Double) -> String {
    if probability >= 1 { return "not bounded by anything below 1" }
    for decimals in 2...8 {
      let scale = (0..<decimals).reduce(1.0) { scale, _ in scale * 10 }
      // A sum such as 0.01 + 0.02 lies a few billionths of a billionth above 0.03 and is still 0.03.
      let digits = (probability * scale * (1 - 1e-12)).rounded(.up)
      if digits >= 10 { return "at most " + trimmed(NumberFormat.fixed(digits / scale, decimals: decimals)) }
    }
    return "below 0.0000001"
  }

  private static func trimmed(_ digits: String) -> String {
    digits.hasSuffix("0") ? String(digits.dropLast()) : digits
  }

  private static func verb(for judgement: Judgement, count: Int) -> String {
    switch judgement {
    case .holds: count == 1 ? "holds" : "hold"
    case .fails: count == 1 ? "fails" : "fail"
    case .undecided: count == 1 ? "is undecided" : "are undecided"
    }
  }
}
