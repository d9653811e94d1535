// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser
internal import ClubCore
internal import Foundation
internal import Reporting
internal import Scenarios
internal import Workbench

struct ClubFeedOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The sports to count: cycling, running, all, or the words for sports that the files have, comma-separated. "
        + "Example: --sport Ride,GravelRide",
      valueName: "names"),
    completion: .list(Self.groups + Self.words))
  var sport = "cycling"

  @Option(
    "identical", .choice,
    "How to count activities that are on several overlapping pages: once counts them as often as on the page that has "
      + "them most often, each counts them on every page.",
    example: "each", valueName: "rule")
  var identical = Identical.once

  @Flag(help: "Refuse files with a malformed or incomplete activity instead of skipping or completing it.")
  var strict = false

  enum Identical: String, CaseIterable {
    case once, each
  }

  static func noFeed(_ example: String) -> CommandError {
    .refused(
      "no feed: name a file or a folder of members' activities, or - for the standard input, for example \(example).")
  }

  struct Checked {
    let sports: String
    let identical: Identical
    let isStrict: Bool
    /// The words of `--sport`.
    fileprivate let words: [String]

    /// True if activities of all sports count.
    var countsAll: Bool { words == ["all"] }

    /// The sports that count, by the service's words and those of the feed.
    func filter(of feed: some Sequence<String>) throws(CommandError) -> SportFilter {
      if words == ["cycling"] { return .cycling }
      if countsAll { return .all }
      let known = ClubFeedOptions.words + feed.filter { !ClubFeedOptions.words.contains($0) }
      var sports: Set<Sport> = []
      for word in words {
        switch word.lowercased() {
        case "cycling": sports.formUnion(Sport.cycling)
        case "running": sports.formUnion(Sport.running)
        case let lowered:
          let found = known.filter { $0.lowercased() == lowered }
          guard !found.isEmpty else { throw ClubFeedOptions.problem(with: word, known) }
          sports.formUnion(found.map { Sport($0) })
        }
      }
      return .only(sports)
    }
  }

  func checked() throws -> Checked {
    let words = sport.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    if words.count > 1, words.contains("all") { throw Self.problem(with: "all", []) }
    return Checked(
      sports: sport == "all" ? "all sports" : words.joined(separator: ", "),
      identical: identical, isStrict: strict, words: words)
  }

  private static func problem(with name: String, _ known: [String]) -> CommandError {
    let nearest = Spelling.hint(for: name, among: groups + known)
    let expected =
      name == "all"
      ? "all by itself" : "cycling, running, all, or words of the service such as Ride,GravelRide\(nearest)"
    return .badValue(option: "--sport", found: name, expected: expected)
  }

  private static let groups = ["cycling", "running", "all"]

  /// The service's words for sports, those of the core first.
  private static let words =
    (Sport.cycling + Sport.running).map(\.name) + [
      "AlpineSki", "BackcountrySki", "Badminton", "Canoeing", "Crossfit", "Elliptical", "Golf",
      "HighIntensityIntervalTraining", "Hike", "IceSkate", "InlineSkate", "Kayaking", "Kitesurf", "NordicSki",
      "Pickleball", "Pilates", "Racquetball", "RockClimbing", "RollerSki", "Rowing", "Sail", "Skateboard",
      "Snowboard", "Snowshoe", "Soccer", "Squash", "StairStepper", "StandUpPaddling", "Surfing", "Swim",
      "TableTennis", "Tennis", "VirtualRow", "Walk", "WeightTraining", "Wheelchair", "Windsurf", "Workout", "Yoga",
    ]
}

struct ClubDateOptions: ParsableArguments {
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

  /// Refuses the options that files without dates have no use for.
  func checkUnused(_ names: String, exceptWeek: Bool = false) throws(CommandError) {
    guard let option = exceptWeek || week == nil ? zone.map({ _ in "--zone" }) : "--week" else { return }
    throw .refused("\(option): the activities of \(names) have no dates, and all of them are one week; leave it out.")
  }
}

struct ClubWeekOptions: ParsableArguments {
  @Option(
    "speed",
    ValueType<Speed>.choice.map {
      $0 == .total ? .total : .meanOfRides
    } back: {
      $0 == .total ? .total : .mean
    },
    "Which average speed is meant: total, distance over moving time, or mean, the unweighted mean of the rides' own.",
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
    "The change from which on a trend goes up or down, in percent, to a tenth.", example: "5%")
  var threshold = Trend.Threshold.tenPercent

  @Option(
    "names", .choice, "short, the first name and an initial, or full, all that the feed has.", example: "full",
    valueName: "style")
  var names = NameStyle.short

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
