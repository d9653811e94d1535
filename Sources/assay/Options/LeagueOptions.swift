// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser
internal import LeagueLab
internal import Reporting

/// What simulated leagues are like.
struct LeagueOptions: ParsableArguments {
  @Option(
    parsing: .unconditional, help: ArgumentHelp("How many teams play, 2 to 64. Example: --teams 10", valueName: "count")
  )
  var teams = "12"

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("How many weeks they play, 1 to 100. Example: --weeks 13", valueName: "count"))
  var weeks = "14"

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("What an average team scores in a week. Example: --mean 95", valueName: "points"))
  var mean = "110"

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "How far a team's weekly scores spread around its strength: standard deviation. Example: --deviation 30",
      valueName: "points"))
  var deviation = "25"

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "How far the teams' strengths spread around the mean: standard deviation. Example: --strength 5",
      valueName: "points"))
  var strength = "10"

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The chance that a game is made level, apart from scores equal by chance. Example: --ties 0.02",
      valueName: "probability"))
  var ties = "0.005"

  /// The league, checked.
  ///
  /// - Throws: `CommandError` for what is no number, `LeagueLabError` for what no league is like.
  func shape() throws -> LeagueShape {
    try LeagueShape(
      teams: Self.count("--teams", teams), weeks: Self.count("--weeks", weeks), meanScore: Self.number("--mean", mean),
      scoreDeviation: Self.number("--deviation", deviation), strengthDeviation: Self.number("--strength", strength),
      tieRate: Self.number("--ties", ties))
  }

  /// Adds the options to an echo.
  func add(to echo: inout CommandLineEcho) {
    let options = [
      ("--teams", teams), ("--weeks", weeks), ("--mean", mean), ("--deviation", deviation), ("--strength", strength),
      ("--ties", ties),
    ]
    for (option, value) in options { echo.add(option, value) }
  }

  private static func count(_ option: String, _ text: String) throws(CommandError) -> Int {
    guard let count = WholeNumber.parse(text) else {
      throw .badValue(option: option, found: text, expected: "a whole number")
    }
    return count
  }

  private static func number(_ option: String, _ text: String) throws(CommandError) -> Double {
    guard let number = Double(text) else { throw .badValue(option: option, found: text, expected: "a number") }
    return number
  }
}
