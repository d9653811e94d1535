// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser
internal import ClubCore
internal import Reporting
internal import Scenarios
internal import Workbench

struct ClubFeedOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "What counts: cycling, running, all, or the service's own words for sports, comma-separated. "
        + "Example: --sport Ride,GravelRide",
      valueName: "names"),
    completion: .list(Self.groups + Self.words))
  var sport = "cycling"

  @Option(
    help: ArgumentHelp(
      "How to count activities that are on several overlapping pages: once counts them as often as on the page that "
        + "has them most often, each counts them on every page. Example: --identical each",
      valueName: "rule"),
    completion: .list(Identical.allCases.map(\.rawValue)))
  var identical = Identical.once.rawValue

  @Flag(help: "Refuse a feed with a malformed line instead of skipping the line.")
  var strict = false

  @OptionGroup var jobs: JobsOption

  enum Identical: String, CaseIterable {
    case once, each
  }

  static func noFeed(_ example: String) -> CommandError {
    .refused(
      "no feed: name a file of a club's activities, or - for the standard input, for example \(example).")
  }

  struct Checked {
    let filter: SportFilter
    let sports: String
    let identical: Identical
    let isStrict: Bool
    let jobs: Int
  }

  func checked() throws -> Checked {
    Checked(
      filter: try filter(),
      sports: sport == "all" ? "all sports" : sport.split(separator: ",").joined(separator: ", "),
      identical: try ValueType<Identical>.choice.read(option: "--identical", identical), isStrict: strict,
      jobs: try jobs.workers())
  }

  private func filter() throws(CommandError) -> SportFilter {
    let names = sport.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    if names == ["cycling"] { return .cycling }
    if names == ["all"] { return .all }
    var sports: Set<Sport> = []
    for name in names {
      switch name.lowercased() {
      case "cycling": sports.formUnion(Sport.cycling)
      case "running": sports.formUnion(Sport.running)
      case let lowered:
        guard let word = Self.words.first(where: { $0.lowercased() == lowered }) else { throw problem(with: name) }
        sports.insert(Sport(word))
      }
    }
    return .only(sports)
  }

  private func problem(with name: String) -> CommandError {
    let nearest = Spelling.hint(for: name, among: Self.groups + Self.words)
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

struct ClubWeekOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Which average speed is meant: total, distance over moving time, or mean, the unweighted mean of the rides' own. "
        + "Example: --speed mean",
      valueName: "average"),
    completion: .list(Speed.allCases.map(\.rawValue)))
  var speed = Speed.total.rawValue

  @Option(
    name: .customLong("change"), parsing: .unconditional,
    help: ArgumentHelp(
      "The change from which on a trend goes up or down, in percent, to a tenth. Example: --change 5%",
      valueName: "percentage"))
  var threshold = "10%"

  @Option(
    help: ArgumentHelp(
      "short, the first name and an initial, or full, all that the feed has. Example: --names full",
      valueName: "style"),
    completion: .list(NameStyle.allCases.map(\.rawValue)))
  var names = NameStyle.short.rawValue

  enum Speed: String, CaseIterable {
    case total, mean
  }

  struct Checked {
    let speed: SpeedKind
    let threshold: Trend.Threshold
    let names: NameStyle
  }

  func checked() throws -> Checked {
    let average = try ValueType<Speed>.choice.read(option: "--speed", speed)
    guard let change = Self.threshold(threshold) else {
      throw CommandError.badValue(
        option: "--change", found: threshold, expected: "a percentage from 0% to 1000%, to a tenth, for example 7.5%"
      )
    }
    return Checked(
      speed: average == .total ? .total : .meanOfRides, threshold: change,
      names: try ValueType<NameStyle>.choice.read(option: "--names", names))
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
