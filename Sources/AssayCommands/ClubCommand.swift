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
    abstract: "Computes a week from a club's feed: totals, ranks, trends and shares.",
    discussion: """
      Example: assay club report page-1.json page-2.json
      Example: assay club report week.ndjson.gz --previous last.ndjson.gz --top 10
      Example: curl -H "Authorization: Bearer $TOKEN" https://www.strava.com/api/v3/clubs/ID/activities | assay club \
      report - --sport all --names full --format json

      The feed is that of a club at Strava, GET /clubs/{id}/activities of its API version 3. A file is a page as the \
      service sends it, a JSON array, or a list with one activity a line (NDJSON); either may be compressed by gzip. \
      An activity has an athlete with firstname and lastname, a name, distance and total_elevation_gain in metres, \
      moving_time and elapsed_time in seconds, and sport_type or type; other members are ignored.

      All files together are one week, since the feed has no dates. Malformed lines are reported on the standard error \
      and skipped; with --strict, and in a page, they are errors.

      Pages overlap: an activity that is on several pages was listed again, and counts as often as on the page that \
      has it most often. The report says how many there were; --identical each counts every listing. In a list with \
      one activity a line, two identical lines are two activities.

      Two members with the same first name and initial count as one member, because the feed cannot distinguish them. \
      The report names members who look like several people below the table.

      Ranks are standard competition ranks (1, 2, 2, 4), with ties in the order of names. Medals, arrows and bars need \
      a UTF-8 locale and a terminal that is not dumb.
      """)

  @Argument(
    help: "The feed's files; - is the standard input. Example: page-1.json",
    completion: .file(extensions: ["json", "ndjson", "jsonl", "gz"]))
  var files: [String] = []

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp(
      "The files of the week before, with which trends compare. Example: --previous last-week.json",
      valueName: "file"),
    completion: .file(extensions: ["json", "ndjson", "jsonl", "gz"]))
  var previous: [String] = []

  @Option(
    help: ArgumentHelp("What ranks: distance, rides, speed or elevation. Example: --metric rides", valueName: "metric"),
    completion: .list(Metric.allCases.map(\.rawValue)))
  var metric = Metric.distance.rawValue

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "How many members are listed, the best first (default: all); totals are of all members. Example: --top 20",
      valueName: "count"))
  var top: String?

  @OptionGroup var feed: ClubFeedOptions
  @OptionGroup var look: ClubWeekOptions
  @OptionGroup var destination: OutputOptions<TableFormats>

  func run() throws {
    let ranking = try ValueType<Metric>.choice.read(option: "--metric", metric)
    let most = try top.map { text throws(ReportingError) in
      try ValueType<Int>.count(1...(.max)).read(option: "--top", text)
    }
    let (reading, view) = (try feed.checked(), try look.checked())
    let plan = try destination.plan(for: "club report")
    guard !files.isEmpty else { throw ClubFeedOptions.noFeed("assay club report week.json") }
    try Self.checkDistinct(files)
    try Self.checkDistinct(previous)
    let this = try WeekFeed(files, reading, names: view.names)
    let last = previous.isEmpty ? nil : try WeekFeed(previous, reading, names: view.names)
    let week = ClubWeek(this.tally, previous: last?.tally, threshold: view.threshold, speed: view.speed)
    let report = WeekReport(
      week, by: ranking, names: view.names, top: most ?? .max,
      origin: [this.origin] + (last.map { ["Last week: \($0.origin)"] } ?? []),
      remarks: this.remarks + (last?.remarks.map { "Last week: \($0)" } ?? []),
      signs: plan.onOutput == nil ? .pictures : ClubSigns(environment: ProcessInfo.processInfo.environment))
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
      Example: assay club insights week.json --member "Tom B."
      Example: assay club insights --member "Tom B." --mode deep --history weeks --week 2026-W46

      Modes: mine describes a member's own week with a tip, top compares it with the best three, deep explains how it \
      differs from the member's usual week.

      A history is a folder of feed files named by their ISO 8601 week: 2026-W46.json, 2026-W46-2.ndjson.gz. Other \
      files in it are reported and ignored. Without FILE the newest week of the history is described. FILE replaces \
      what the history has of its week, which is that of its name, else --week, else the week after the newest in the \
      history.

      Case, extra spaces and full stops in the name do not matter. Files are read as assay club report does.
      """)

  @Argument(
    help: "The files of the week to describe; - is the standard input. Example: 2026-W47.json",
    completion: .file(extensions: ["json", "ndjson", "jsonl", "gz"]))
  var files: [String] = []

  @Option(help: ArgumentHelp("Whose week it is. Example: --member \"Tom B.\"", valueName: "name"))
  var member: String

  @Option(
    help: ArgumentHelp("mine, top or deep. Example: --mode deep", valueName: "mode"),
    completion: .list(InsightMode.allCases.map(\.rawValue)))
  var mode = InsightMode.mine.rawValue

  @Option(
    help: ArgumentHelp("A folder with the weeks before. Example: --history weeks", valueName: "folder"),
    completion: .directory)
  var history: String?

  @Option(help: ArgumentHelp("The week to describe. Example: --week 2026-W47", valueName: "week"))
  var week: String?

  @OptionGroup var feed: ClubFeedOptions
  @OptionGroup var look: ClubWeekOptions
  @OptionGroup var destination: OutputOptions<TableFormats>

  func run() throws {
    let perspective = try ValueType<InsightMode>.choice.read(option: "--mode", mode)
    let (reading, view) = (try feed.checked(), try look.checked())
    let asked = try Self.week(week)
    let plan = try destination.plan(for: "club insights")
    let weeks = try ClubWeeks(files, history: history, asked: asked, reading, names: view.names)
    let insights = Insights(
      history: weeks.history, week: weeks.week, member: try Self.member(member, in: weeks.history, reading),
      speed: view.speed, threshold: view.threshold, names: view.names)
    let report = InsightsReport(insights, perspective, origin: weeks.origin, remarks: weeks.remarks)
    try plan.write(report.document, json: report.json)
  }

  /// The member of that name; if no similar name counts, the error suggests the sports as the reason.
  private static func member(
    _ name: String, in history: ClubHistory, _ reading: ClubFeedOptions.Checked
  ) throws -> MemberIdentity {
    do {
      return try history.member(named: name)
    } catch {
      guard case .noSuchMember(_, let nearest) = error, nearest.isEmpty, reading.filter != .all else { throw error }
      throw CommandError.badValue(
        option: "--member", found: name,
        expected: "somebody with activities that count (\(reading.sports)); --sport all counts every sport")
    }
  }

  private static func week(_ text: String?) throws(CommandError) -> Week? {
    guard let text else { return nil }
    guard let week = Week(text) else {
      throw .badValue(option: "--week", found: text, expected: "a week by ISO 8601, for example 2026-W47")
    }
    return week
  }
}
