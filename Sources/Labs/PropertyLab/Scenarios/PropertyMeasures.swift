// SPDX-License-Identifier: GPL-3.0-or-later
internal import PropertyTesting
internal import Scenarios

/// What a scenario of properties measures.
struct PropertyMeasures {
  /// The properties on trial.
  let ids: [String]
  /// How many cases of each are to pass.
  let cases: Int
  /// Whether they meet the broken subjects.
  let hasFaults: Bool

  /// All measures, in the order of the report.
  var all: [Measure] {
    [Self.failing, Self.unjudged, Self.tested, Self.passed, Self.discarded, Self.unmet]
      + (hasFaults ? [Self.missed, Self.unrefuted] : [])
      + ids.map(Self.failing(of:)) + ids.map(Self.discarded(of:))
  }

  /// What was found.
  ///
  /// - Parameters:
  ///   - results: of the properties tested until now.
  ///   - faults: what was made of the broken subjects; `nil` where none was tried, or not all.
  /// - Returns: what is known, in the measures' order.
  func found(in results: [PropertyResult], _ faults: FaultReport?) -> [Measurement] {
    let broken = results.count { $0.status == .broken }
    let left = ids.count - results.count
    let reports = results.compactMap(\.report)
    let cut = results.filter(\.wasCutShort)
    let casesLeft = left * cases + cut.reduce(0) { $0 + cases - $1.passed }
    let claims = reports.flatMap(\.coverage)
    var found = [
      Measurement(Self.failing, .count(results.count { $0.status == .fails }, undecided: broken + left + cut.count)),
      Measurement(Self.unjudged, .count(broken, undecided: left + cut.count)),
      Measurement(Self.tested, .count(results.count - broken - cut.count, undecided: left + cut.count)),
      Measurement(Self.passed, .count(reports.reduce(0) { $0 + $1.passed }, undecided: casesLeft)),
      Measurement(Self.discarded, .exact(Self.discardedShare(of: reports))),
      Measurement(
        Self.unmet,
        .count(claims.count { $0.verdict == .below }, undecided: claims.count { $0.verdict == .undecided })),
    ]
    if let faults {
      found += [
        Measurement(Self.missed, .count(faults.missed.count, undecided: 0)),
        Measurement(Self.unrefuted, .count(faults.unrefuted.count, undecided: 0)),
      ]
    }
    found += results.map { one in
      let undecided = one.status == .broken || one.wasCutShort ? 1 : 0
      return Measurement(
        Self.failing(of: one.chosen.property.id), .count(one.status == .fails ? 1 : 0, undecided: undecided))
    }
    found += results.compactMap { one in
      one.report.map {
        Measurement(Self.discarded(of: one.chosen.property.id), .exact(Self.discardedShare(of: [$0])))
      }
    }
    return found
  }

  /// The share of the cases drawn that were given up; 0 where none was drawn.
  static func discardedShare(of reports: [CheckReport]) -> Double {
    let discarded = reports.reduce(0) { $0 + $1.discarded }
    let drawn = discarded + reports.reduce(0) { $0 + $1.passed }
    return drawn == 0 ? 0 : Double(discarded) / Double(drawn)
  }

  private static let failing = Measure(
    "properties.failing",
    meaning: "Properties with a counterexample, or hardly tested; open while one could not be judged", nature: .count)
  private static let unjudged = Measure(
    "properties.unjudged",
    meaning: "Properties that could not be judged: nothing to draw, or a case that does not end", nature: .count)
  private static let tested = Measure(
    "properties.tested", meaning: "Properties that were judged", nature: .count)
  private static let passed = Measure(
    "cases.passed", meaning: "Cases that passed, of all properties together", nature: .count)
  private static let discarded = Measure(
    "cases.discarded", meaning: "The share of all cases drawn that were given up", nature: .exact)
  private static let unmet = Measure(
    "coverage.unmet",
    meaning: "Coverage claims shown not to hold: what was to be tested was hardly tested; open while undecided",
    nature: .count)
  private static let missed = Measure(
    "faults.missed", meaning: "Broken subjects that no property noticed", nature: .count)
  private static let unrefuted = Measure(
    "faults.unrefuted", meaning: "Statements known not to hold of which no counterexample was found", nature: .count)

  private static func failing(of id: String) -> Measure {
    Measure("property.failing", of: id, meaning: "1 where \(id) fails, else 0", nature: .count)
  }

  private static func discarded(of id: String) -> Measure {
    Measure("property.discarded", of: id, meaning: "The share of the cases of \(id) that were given up", nature: .exact)
  }
}
