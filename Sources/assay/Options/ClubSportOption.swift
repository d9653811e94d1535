// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser
internal import ClubCore
internal import Reporting

/// Which activities of a feed count.
struct ClubSportOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "What counts: cycling, running, all, or the service's own words for sports, apart by commas. "
        + "Example: --sport Ride,GravelRide",
      valueName: "names"),
    completion: .list(Self.groups + Self.words))
  var sport = "cycling"

  /// The option, checked.
  ///
  /// - Throws: `CommandError` naming what is no sport, with the nearest that is one.
  func checked() throws(CommandError) -> SportFilter {
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

  /// What counts, for people.
  var meaning: String { sport == "all" ? "all sports" : sport.split(separator: ",").joined(separator: ", ") }

  private func problem(with name: String) -> CommandError {
    let nearest = Spelling.nearest(to: name, among: Self.groups + Self.words).map { " (did you mean '\($0)'?)" } ?? ""
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
