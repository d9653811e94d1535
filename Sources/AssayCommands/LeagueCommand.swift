// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser
internal import Foundation
internal import LeagueCore
internal import LeagueLab
internal import Reporting
internal import Scenarios
internal import Workbench

struct LeagueRankCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rank",
    abstract: "Ranks the teams of a league: of ESPN or Sleeper by its number, or from files or a table of results.",
    discussion: """
      Example: assay league rank sleeper:784462448236363776
      Example: assay league rank espn:1234567 --season 2024 --week 7
      Example: assay league rank league.json
      Example: assay league rank results.csv --output ranking.png
      Example: assay league rank league.json --week 7 --format json
      Example: assay league rank league.json rosters.json users.json matchups-1.json

      \(LeagueFileOptions.discussion)

      If the files hold the games, each team is compared with all others in every week, which shows how much of its \
      record is luck of the schedule. A simulation with a fixed seed shows how often a ranking after as many weeks \
      finds the strongest team.
      """)

  @OptionGroup var source: LeagueFileOptions

  @OptionGroup var after: WeekOption
  @OptionGroup var destination: OutputOptions<RankingFormats>

  func run() throws {
    let plan = try destination.plan(for: "league rank")
    let league = try source.league()
    try after.check(in: league, from: source)
    let report = try RankingReport(league, afterWeek: after.week, origin: source.names)
    try plan.write(report.document, json: report.json)
  }
}

/// A ranking is a table, and a picture to share.
enum RankingFormats: OutputFormats {
  static let formats = ReportFormat.tables + [.svg, .png]
}

struct LeagueTemplateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "template",
    abstract: "Prints a table of results to fill in, for a league of any other service or of none.",
    discussion: """
      Example: assay league template > results.csv

      The table has one line for each game, and a comment explains the columns. league rank, export and roast-prompt \
      read the file.
      """)

  @OptionGroup var destination: FileOptions

  func run() throws { try destination.write { LeagueResults.template } }
}

struct LeagueExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Writes a league's ranking as plain text, one block for each team.",
    discussion: """
      Example: assay league export league.json --roasts roasts.json

      A block has the rank and the team, and lines that begin with Owner, Record, Points and, where there is one, \
      Roast; blocks are separated by an empty line. Roasts are the answer to 'assay league roast-prompt', and are \
      refused unless every team has one of 3 to 5 sentences that names its record, points, streak or a top player.

      \(LeagueFileOptions.discussion)
      """)

  @OptionGroup var source: LeagueFileOptions

  @Option(
    help: ArgumentHelp("The teams' roasts. Example: --roasts roasts.json", valueName: "file"),
    completion: .file(extensions: ["json"]))
  var roasts: String?

  @OptionGroup var after: WeekOption
  @OptionGroup var destination: FileOptions

  func run() throws {
    try destination.write {
      let known = try after.teams(of: source)
      let teams = try roasts.map { path in try Self.roasted(known, path) } ?? known
      return try RankingText(PowerRanking(teams)).description + "\n"
    }
  }

  private static func roasted(_ teams: [Team], _ path: String) throws -> [Team] {
    do {
      return try RoastReader.read(LeagueFileOptions.data(path), named: path, for: teams)
    } catch let error as RoastError {
      throw InputProblems(problems: error.each.map { InputProblems.Problem(error: $0, file: path) })
    }
  }
}

struct LeagueRoastPromptCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "roast-prompt",
    abstract: "Writes a prompt that asks a language model for the teams' roasts.",
    discussion: """
      Example: assay league roast-prompt league.json --context context.json

      A context is a JSON object. All its members are optional: insideJokes is a list of texts, personalities an \
      object with a text for each member, sackoPunishment and cultureNotes are texts.

      \(LeagueFileOptions.discussion)
      """)

  @OptionGroup var source: LeagueFileOptions

  @Option(
    help: ArgumentHelp("Statements of members about the league. Example: --context context.json", valueName: "file"),
    completion: .file(extensions: ["json"]))
  var context: String?

  @OptionGroup var after: WeekOption
  @OptionGroup var destination: FileOptions

  func run() throws {
    try destination.write {
      let teams = try after.teams(of: source)
      let told = try context.map { try LeagueContext.read(LeagueFileOptions.data($0), named: $0) } ?? LeagueContext()
      return try RoastPrompt(PowerRanking(teams), context: told).description + "\n"
    }
  }
}

/// The week after which a league is ranked.
struct WeekOption: ParsableArguments {
  @Option(
    "week", .count(LeagueGame.weeks),
    "Rank after this week, by records computed from the games; the files must hold the games of all weeks until then "
      + "(default: the records that the service sends).",
    example: "7", valueName: "week")
  var week: Int?

  func check(in league: League, from source: LeagueFileOptions) throws(CommandError) {
    guard let week else { return }
    func refused(_ expected: String) -> CommandError {
      .badValue(option: "--week", found: "\(week)", expected: expected)
    }
    guard league.kind.hasGames else { throw refused("no week: this league has no games") }
    guard week >= league.firstWeek else { throw refused("a week from \(league.firstWeek) on, when the season begins") }
    let played = league.playedWeeks
    guard let gap = (league.firstWeek...week).first(where: { !played.contains($0) }) else { return }
    throw refused(
      !played.isEmpty
        ? "a week that the schedule reaches: no game of week \(gap) of the regular season is over in \(source.names)"
        : league.games.isEmpty
          ? "a league with its schedule: no game that is over is in \(source.names)"
          : "a week that is over: no game is over in \(source.names)")
  }

  /// The teams with their records after the week, or with those of the service.
  func teams(of source: LeagueFileOptions) throws -> [Team] {
    let league = try source.league()
    try check(in: league, from: source)
    return try week.map { try league.teams(afterWeek: $0) } ?? league.teams
  }
}

struct LeagueFileOptions: ParsableArguments {
  static let discussion = """
    sleeper: or espn: with the league's number fetches what is needed; a private league of ESPN needs the cookies SWID \
    and espn_s2 in the variables ASSAY_ESPN_SWID and ASSAY_ESPN_S2.

    The files of a league are recognised by their content. For ESPN they are one file, the API's answer with the view \
    mTeam and, for players and schedule, mRoster and mMatchup. For Sleeper they are the league, its rosters and its \
    users, and the matchups of any weeks, each in a file whose name has its week as its only number. For any other \
    league it is a table of results, as 'league template' prints it. Files may be compressed by gzip, and hold several \
    documents one after another.
    """

  @Argument(
    help: """
      The league's files, in any order, or its service and number; - is the standard input. Example: league.json
      """,
    completion: .file(extensions: ["json", "csv", "gz"]))
  var files: [String] = []

  @Option(
    "platform", .choice, "The service that the files must come from: espn or sleeper (default: either).",
    example: "espn", valueName: "service")
  var platform: LeaguePlatform?

  @Option(
    "season", .season,
    "The year that the season began in, to choose one of several (default: the only one; of espn:, the current one).",
    example: "2024")
  var season: Int?

  @Option(
    help: ArgumentHelp(
      "Keep the fetched documents in this folder, by names that this command reads. Example: --save league-2024",
      valueName: "folder"),
    completion: .directory)
  var save: String?

  @OptionGroup var address: LeagueServiceOptions

  /// The names of the files, as text in a sentence.
  var names: String { files.map(TextFile.name).joined(separator: ", ") }

  func league() throws -> League {
    guard !files.isEmpty else {
      throw CommandError.refused(
        "no league: name the files that ESPN or Sleeper sent, for example assay league rank league.json, or its "
          + "number, for example sleeper:784462448236363776.")
    }
    let addresses = files.compactMap(LeagueAddress.init)
    if let first = addresses.first {
      guard files.count == 1 else {
        throw CommandError.refused("'\(first.text)' and \(files.count - 1) more: name one league at a time.")
      }
      guard platform == nil else {
        throw CommandError.refused("--platform and '\(first.text)' cannot be combined; leave --platform out.")
      }
      return try first.fetch(season: season, from: address.baseUrl, savingTo: save)
    }
    for (option, value) in [("--save", save), ("--base-url", address.baseUrl)] where value != nil {
      throw CommandError.refused("\(option) is for a league that is fetched; name one, such as sleeper:123.")
    }
    try ClubReportCommand.checkDistinct(files)
    let league = try League(
      files: files.map { (name: TextFile.name(of: $0), data: try Self.data($0)) }, platform: platform,
      season: season)
    Log.info("read", ["files": "\(files.count)", "teams": "\(league.teams.count)", "games": "\(league.games.count)"])
    return league
  }

  static func data(_ path: String) throws(ReportingError) -> Data {
    Data(try TextFile.read(path).utf8)
  }
}
