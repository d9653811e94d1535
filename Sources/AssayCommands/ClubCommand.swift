// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser
internal import ClubCore
internal import ClubLab
internal import Foundation
internal import Reporting
internal import Scenarios
internal import Workbench

struct ClubReportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Computes a club's week from its members' activities: totals, ranks, trends and shares.",
    discussion: """
      Example: assay club report members/
      Example: assay club report tom.json lena.json exports/zoe/activities.csv --week 2026-W47
      Example: assay club report members/ --zone Europe/Berlin --sport all --names full --format json

      FILE has the activities of one member or several, of any number of weeks, with their dates: a page of \
      GET /athlete/activities of Strava's API (a JSON array), a list with one activity a line (NDJSON), or \
      activities.csv of Strava's export in any language; each may be compressed by gzip. A folder stands for the files \
      in it, and a folder in it for one member. A member is the athlete's name or id in the file, or else the name of \
      the file.

      An activity has start_date_local, start_date or both, an id, distance and total_elevation_gain in metres, \
      moving_time and elapsed_time in seconds, and sport_type or type. Each id counts once. The week is that of the \
      local time; where there is only UTC, as in an export, that of --zone. Without --week the last week that is \
      over is reported, with its trend against the week before it.

      A malformed activity is reported on the standard error and skipped, and one without a climb counts without; with \
      --strict they are errors. A file has at most 256 MiB of text.

      Activities without dates are read, too: the feed of a club that Strava served until September 2026, GET \
      /clubs/{id}/activities, or another service's. All such files together are one week, and --previous names the \
      files of the week before. Pages overlap: an activity that is on several pages counts as often as on the page \
      that has it most often; --identical each counts every listing. In a list with one activity a line, two \
      identical lines are two activities. Members with the same first name and initial count as one there, and the \
      report names those who look like several people.

      Ranks are standard competition ranks (1, 2, 2, 4), with ties in the order of names. Medals, arrows and bars need \
      a UTF-8 locale and a terminal that is not dumb.
      """)

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp(
      "The files of the week before, for activities without dates. Example: --previous last-week.json",
      valueName: "file"),
    completion: .file(extensions: ["json", "ndjson", "jsonl", "gz"]))
  var previous: [String] = []

  @Option(
    "metric", .choice, "The metric to rank by: distance, rides, speed or elevation.", example: "rides",
    valueName: "metric")
  var metric = Metric.distance

  @Option(
    "top", .count(1...(.max)),
    "The number of members to list, best first (default: all); totals are of all members.", example: "20")
  var top: Int?

  @OptionGroup var club: ClubOptions
  @OptionGroup var destination: OutputOptions<TableFormats>

  func run() throws {
    let plan = try destination.plan(for: "club report")
    guard !club.files.isEmpty else { throw ClubFiles.none("assay club report members/") }
    try Self.checkDistinct(club.files)
    try Self.checkDistinct(previous)
    let found = try ClubFiles(club.files, club)
    let signs = plan.onOutput == nil ? ClubSigns.pictures : ClubSigns(environment: ProcessInfo.processInfo.environment)
    let report: WeekReport
    if found.isDated {
      guard previous.isEmpty else {
        throw CommandError.refused(
          "--previous: \(found.names) has dates, and the week before is computed from it; name all files together and"
            + " leave out --previous.")
      }
      let dated = try DatedFeed(found, club)
      let (this, last) = (dated.activities.tally(of: dated.week, counting: dated.filter), dated.week.previous)
      let week = ClubWeek(
        this ?? WeekTally(), previous: dated.activities.tally(of: last, counting: dated.filter),
        threshold: club.threshold, speed: club.speed)
      report = WeekReport(
        week, of: dated.week, by: metric, names: club.names, top: top ?? .max, word: dated.filter.word,
        origin: dated.origin, remarks: dated.remarks, signs: signs)
    } else {
      try club.checkUnused(found.names)
      let this = try WeekFeed(found, club)
      let last = previous.isEmpty ? nil : try WeekFeed(previous, club)
      let week = ClubWeek(this.tally, previous: last?.tally, threshold: club.threshold, speed: club.speed)
      report = WeekReport(
        week, by: metric, names: club.names, top: top ?? .max, word: this.filter.word,
        origin: this.origin + (last?.origin.map { "Last week: \($0)" } ?? []),
        remarks: this.remarks + (last?.remarks.map { "Last week: \($0)" } ?? []), signs: signs)
    }
    try plan.write(report.document, json: report.json, data: report.data)
  }

  /// Refuses a file that is named twice, since its activities would count twice.
  static func checkDistinct(_ paths: [String]) throws(CommandError) {
    var seen: Set<String> = []
    for path in paths {
      let file = path == "-" ? path : URL(fileURLWithPath: path).resolvingSymlinksInPath().path
      guard seen.insert(file).inserted else { throw .refused("'\(path)' is named twice; name each file once.") }
    }
  }
}

struct ClubInsightsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "insights",
    abstract: "Describes what stands out in a member's week.",
    discussion: """
      Example: assay club insights members/ --member "Tom B."
      Example: assay club insights members/ --member "Tom B." --mode deep --week 2026-W46

      Modes: mine describes a member's own week with a tip, top compares it with the best three, deep explains how it \
      differs from the member's usual week.

      Files are read as assay club report reads them. Activities with dates are their own history: the week described \
      is --week, or the last one that is over, and all earlier weeks of the files are compared with it.

      Activities without dates need --history, a folder of files named by their ISO 8601 week: 2026-W46.json, \
      2026-W46-2.ndjson.gz. Other files in it are reported and ignored. Without FILE the newest week of the history is \
      described. FILE replaces what the history has of its week, which is that of its name, else --week, else the week \
      after the newest in the history.

      Case, extra spaces and full stops in the name do not matter.
      """)

  @Option(help: ArgumentHelp("The member whose week to describe. Example: --member \"Tom B.\"", valueName: "name"))
  var member: String

  @Option("mode", .choice, "mine, top or deep.", example: "deep", valueName: "mode") var mode = InsightMode.mine

  @Option(
    help: ArgumentHelp(
      "A folder with the weeks before, for activities without dates. Example: --history weeks", valueName: "folder"),
    completion: .directory)
  var history: String?

  @OptionGroup var club: ClubOptions
  @OptionGroup var destination: OutputOptions<TableFormats>

  func run() throws {
    let plan = try destination.plan(for: "club insights")
    let weeks = try weeks()
    let insights = Insights(
      history: weeks.history, week: weeks.week, member: try member(in: weeks.history),
      speed: club.speed, threshold: club.threshold, names: club.names, word: weeks.filter.word)
    let report = InsightsReport(insights, mode, origin: weeks.origin, remarks: weeks.remarks)
    try plan.write(report.document, json: report.json)
  }

  /// The member of that name; if no similar name counts, the error suggests the sports as the reason.
  private func member(in history: ClubHistory) throws -> MemberIdentity {
    do {
      return try history.member(named: member)
    } catch {
      guard case .noSuchMember(_, let nearest) = error, nearest.isEmpty, !club.sports.countsAll else { throw error }
      throw CommandError.badValue(
        option: "--member", found: member,
        expected: "somebody with activities that count (\(club.sports.text)); --sport all counts every sport")
    }
  }

  private func weeks() throws -> ClubWeeks {
    try ClubReportCommand.checkDistinct(club.files)
    let found = club.files.isEmpty ? nil : try ClubFiles(club.files, club)
    guard let found, found.isDated else {
      try club.checkUnused(found?.names ?? "--history", exceptWeek: true)
      return try ClubWeeks(found, history: history, club)
    }
    guard history == nil else {
      throw CommandError.refused(
        "--history: \(found.names) has dates and is its own history; name all files together and leave out --history.")
    }
    return ClubWeeks(try DatedFeed(found, club))
  }
}
