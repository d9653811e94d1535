// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser
internal import ClubCore
internal import Foundation
internal import Reporting
internal import Scenarios
internal import Workbench

/// The activities that a command reads, and how it reads and shows them.
struct ClubOptions: ParsableArguments {
  @Argument(
    help: "Files of activities and folders of them; - is the standard input. Example: members/",
    completion: .file(extensions: ["json", "ndjson", "jsonl", "csv", "gz"]))
  var files: [String] = []

  @Option(
    "week",
    ValueType<String>.text("week", expected: "a week by ISO 8601, for example 2026-W47").map {
      Week($0)
    } back: {
      "\($0)"
    },
    "The week to report, by ISO 8601 (default: the last one that is over).", example: "2026-W47")
  var week: Week?

  @Option(
    "zone",
    ValueType<String>.text("zone", expected: "a time zone such as Europe/Berlin or America/New_York")
      .map {
        TimeZone(identifier: $0)
      } back: {
        $0.identifier
      },
    "The time zone of dates that have no local time, such as those of Strava's export (default: UTC).",
    example: "Europe/Berlin")
  var zone: TimeZone?

  @Option(
    "sport", .sports,
    "The sports to count: cycling, running, all, or the words for sports that the files have, comma-separated.",
    example: "Ride,GravelRide")
  var sports = SportChoice(words: ["cycling"])

  @Option(
    "identical", .choice,
    "How to count activities that are on several overlapping pages: once (as often as on the page that has them most "
      + "often) or each (on every page).",
    example: "each", valueName: "rule")
  var identical = Identical.once

  @Flag(help: "Refuse files with a malformed or incomplete activity instead of skipping or completing it.")
  var strict = false

  @Option(
    "speed",
    ValueType<Speed>.choice.map {
      $0 == .total ? .total : .meanOfRides
    } back: {
      $0 == .total ? .total : .mean
    },
    "The average speed: total, distance over moving time, or mean, the unweighted mean of the rides' speeds.",
    example: "mean", valueName: "average")
  var speed = SpeedKind.total

  @Option(
    "change",
    ValueType<String>.text("percentage", expected: "a percentage from 0% to 1000%, to a tenth, for example 7.5%")
      .map {
        threshold($0)
      } back: {
        "\(NumberFormat.shortest(Double($0.tenthsOfPercent) / 10))%"
      },
    "The smallest change, in percent, at which a trend goes up or down.", example: "5%")
  var threshold = Trend.Threshold.tenPercent

  @Option(
    "names", .choice, "short, the first name and an initial, or full, all that the feed has.", example: "full",
    valueName: "style")
  var names = NameStyle.short

  enum Identical: String, CaseIterable {
    case once, each
  }

  /// Refuses the options that files without dates have no use for.
  func checkUnused(_ names: String, exceptWeek: Bool = false) throws(CommandError) {
    guard let option = exceptWeek || week == nil ? zone.map({ _ in "--zone" }) : "--week" else { return }
    throw .refused("\(option): the activities of \(names) have no dates, and all of them are one week; leave it out.")
  }

  private enum Speed: String, CaseIterable {
    case total, mean
  }

  /// A percentage, exactly: `7.5%` or `7.5`.
  private static func threshold(_ text: String) -> Trend.Threshold? {
    let digits = text.hasSuffix("%") ? text.dropLast() : text[...]
    let parts = digits.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let whole = parts.first, (1...4).contains(whole.count),
      parts.count == 1 || parts[1].count == 1, parts.joined().allSatisfy({ ("0"..."9").contains($0) }),
      let tenths = Int(whole + (parts.count == 2 ? parts[1] : "0")), tenths <= 10_000
    else { return nil }
    return Trend.Threshold(tenthsOfPercent: tenths)
  }
}

/// The sports that count.
struct SportChoice {
  /// Groups of sports, and words of the service or the files.
  let words: [String]

  /// True if activities of all sports count.
  var countsAll: Bool { words == ["all"] }

  /// The sports in a sentence.
  var text: String { countsAll ? "all sports" : words.joined(separator: ", ") }

  /// The sports, by the service's words and those of the feed.
  func filter(of feed: some Sequence<String>) throws(CommandError) -> SportFilter {
    if words == ["cycling"] { return .cycling }
    if countsAll { return .all }
    let known = Self.known + feed.filter { !Self.known.contains($0) }
    var sports: Set<Sport> = []
    for word in words {
      switch word.lowercased() {
      case "cycling": sports.formUnion(Sport.cycling)
      case "running": sports.formUnion(Sport.running)
      case let lowered:
        let found = known.filter { $0.lowercased() == lowered }
        guard !found.isEmpty else {
          let nearest = Spelling.hint(for: word, among: Self.groups + known)
          throw .badValue(
            option: "--sport", found: word,
            expected: Self.expected + nearest)
        }
        sports.formUnion(found.map { Sport($0) })
      }
    }
    return .only(sports)
  }

  fileprivate static let expected = "cycling, running, all, or words of the service such as Ride,GravelRide"
  fileprivate static let groups = ["cycling", "running", "all"]

  /// The service's words for sports, those of the core first.
  fileprivate static let known =
    (Sport.cycling + Sport.running).map(\.name) + [
      "AlpineSki", "BackcountrySki", "Badminton", "Canoeing", "Crossfit", "Elliptical", "Golf",
      "HighIntensityIntervalTraining", "Hike", "IceSkate", "InlineSkate", "Kayaking", "Kitesurf", "NordicSki",
      "Pickleball", "Pilates", "Racquetball", "RockClimbing", "RollerSki", "Rowing", "Sail", "Skateboard",
      "Snowboard", "Snowshoe", "Soccer", "Squash", "StairStepper", "StandUpPaddling", "Surfing", "Swim",
      "TableTennis", "Tennis", "VirtualRow", "Walk", "WeightTraining", "Wheelchair", "Windsurf", "Workout", "Yoga",
    ]
}

extension ValueType where Value == SportChoice {
  fileprivate static var sports: Self {
    Self(
      "names", expected: SportChoice.expected, words: SportChoice.groups + SportChoice.known,
      read: { field throws(ReportingError) in
        let words = try field.string(expected: SportChoice.expected).split(
          separator: ",", omittingEmptySubsequences: false
        ).map(String.init)
        if words.count > 1, words.contains("all") { throw field.bad(expected: "no other sport with all") }
        return SportChoice(words: words)
      }, write: { .string($0.words.joined(separator: ",")) })
  }
}
