// SPDX-License-Identifier: GPL-3.0-or-later
internal import Scenarios

/// A measure of a judged ledger under one variant of the faults: `feed.rightWeek[all]`, `feed.doubleCounts[renames]`;
/// or what is counted under any of them, `feed.doubleCounts[any]`.
struct FeedMeasure {
  let measure: Measure
  private let what: What

  private enum What {
    case mean(FeedQuantity, FeedVariant)
    case count(Count, FeedVariant)
    /// Summed over the seasons of all variants: zero where it is zero under each.
    case sum(Count)
  }

  /// What is counted over all seasons.
  enum Count: String, CaseIterable {
    case doubleCounts, phantoms, strays, split, merged, budgetViolations, hastyRequests

    func value(in counts: FeedCounts) -> Int {
      switch self {
      case .doubleCounts: counts.rides.doubles
      case .phantoms: counts.rides.phantoms
      case .strays: counts.rides.strays
      case .split: counts.rides.split
      case .merged: counts.rides.merged
      case .budgetViolations: counts.violations
      case .hastyRequests: counts.hasty
      }
    }

    var meaning: String {
      switch self {
      case .doubleCounts: "Activities that count although there is no ride for them: rides counted twice"
      case .phantoms: "Rides that count although a fetch could see that they were taken away"
      case .strays: "Rides from before the first fetch, or of weeks that are not judged, that count for a judged week"
      case .split: "Members in a week beyond the names that there are"
      case .merged: "Persons in a week who stand in one member with others of their name, whom the feed does not part"
      case .budgetViolations: "Requests beyond the budget of a quarter of an hour or a day, by the service's own count"
      case .hastyRequests: "Requests sent before a Retry-After was over"
      }
    }

    var unit: String {
      switch self {
      case .doubleCounts, .phantoms, .strays: "rides"
      case .split: "members"
      case .merged: "persons"
      case .budgetViolations, .hastyRequests: "requests"
      }
    }
  }

  private init(_ what: What) {
    self.what = what
    switch what {
    case .mean(let quantity, let variant):
      measure = Measure(
        "feed.\(quantity.rawValue)", of: variant.name, meaning: quantity.meaning, unit: quantity.unit, nature: .mean)
    case .count(let count, let variant): measure = Self.counted(count, of: variant.name, meaning: count.meaning)
    case .sum(let count):
      measure = Self.counted(
        count, of: "any", meaning: count.meaning + "; in all seasons, whatever faults they have")
    }
  }

  private static func counted(_ count: Count, of label: String, meaning: String) -> Measure {
    Measure("feed.\(count.rawValue)", of: label, meaning: meaning, unit: count.unit, nature: .count)
  }

  /// Everything that is measured: by name, then by variant, so that a name's labels stand together.
  static func all(of variants: [FeedVariant]) -> [FeedMeasure] {
    FeedQuantity.allCases.flatMap { quantity in variants.map { FeedMeasure(.mean(quantity, $0)) } }
      + Count.allCases.flatMap { count in
        variants.map { FeedMeasure(.count(count, $0)) } + [FeedMeasure(.sum(count))]
      }
  }

  /// What was found of it; nil where there was nothing to measure.
  func found(in result: FeedResult) -> Measurement? {
    switch what {
    case .mean(let quantity, let variant):
      return result.finding(of: variant)?.estimate(of: quantity).map {
        Measurement(measure, .mean($0.mean, standardDeviation: $0.standardDeviation, samples: $0.samples))
      }
    case .count(let count, let variant):
      return result.finding(of: variant).map { counted(count.value(in: $0.counts)) }
    case .sum(let count):
      return counted(result.findings.reduce(0) { $0 + count.value(in: $1.counts) })
    }
  }

  private func counted(_ number: Int) -> Measurement { Measurement(measure, .count(number, undecided: 0)) }
}

extension FeedQuantity {
  /// One line for people: what is estimated, as a mean over seasons.
  var meaning: String {
    switch self {
    case .rightWeek: "The share of rides in the right week, of those whose week can be known"
    case .wrongWeek: "The share of rides in another week, of those whose week can be known"
    case .lost: "The share of rides in no week, of those whose week can be known"
    case .unknowable: "The share of rides whose week nobody could know from the feed"
    case .guessed: "The share of rides in the right week, of those whose week nobody could know"
    case .misranked: "The share of members whose rank by distance in a week is not the true one"
    case .requests: "Requests a day"
    case .failedFetches: "The share of fetches that gave up"
    }
  }

  /// The unit; empty for a share.
  var unit: String { self == .requests ? "requests" : "" }
}
