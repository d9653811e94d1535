// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser
internal import ClubCore
internal import ClubLab
internal import Foundation
internal import Reporting

/// A club's week out of its feed.
struct ClubReportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Makes a week out of a club's feed: totals, ranks, trends and shares.",
    discussion: """
      Example: assay club report page-1.json page-2.json
      Example: assay club report week.ndjson.gz --previous last.ndjson.gz --top 10
      Example: curl ... | assay club report - --sport all --names full --format json

      A file is a page as the service sends it, a JSON array, or a list with one activity a line (NDJSON); either may \
      be compressed by gzip. All files together are one week: the feed has no dates, and none are asked for. Malformed \
      lines are told on the standard error and skipped, unless --strict refuses them; a malformed page is refused.

      Pages overlap: what stands on several pages alike is one activity that was listed again, and counts as often as \
      the page that has most of it. How many those were is said; --identical each counts every listing. Lines are \
      taken as they are: two alike are two activities.

      Two members who share a first name and an initial are one member here, because a feed cannot tell them apart; \
      what makes that suspect is said below the table.

      Ranks are standard competition ranks, 1, 2, 2, 4, ties by name. Medals, arrows and bars need a UTF-8 locale and \
      a terminal that is not dumb; colours need a terminal, and NO_COLOR takes them away.
      """)

  @Argument(
    help: "The feed's files; - is the standard input. Example: page-1.json",
    completion: .file(extensions: ["json", "ndjson", "jsonl", "gz"]))
  var files: [String] = []

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp(
      "The files of the week before, which trends are taken against. Example: --previous last-week.json",
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
      "How many members are listed, the best first (default: all); totals are everybody's. Example: --top 20",
      valueName: "count"))
  var top: String?

  @OptionGroup var feed: ClubFeedOptions
  @OptionGroup var look: ClubWeekOptions
  @OptionGroup var destination: OutputOptions

  func run() throws {
    let ranking = try ClubWord.parse("--metric", metric, among: Metric.allCases)
    let most = try Self.count(top)
    let (reading, view) = (try feed.checked(), try look.checked())
    let plan = try destination.plan(for: "report", formats: [.text, .markdown, .csv, .json])
    guard !files.isEmpty else { throw CommandError.noFeed(example: "assay club report week.json") }
    try Self.checkDistinct(files)
    try Self.checkDistinct(previous)
    let this = try ClubFeed(files, reading, names: view.names)
    let last = previous.isEmpty ? nil : try ClubFeed(previous, reading, names: view.names)
    let week = ClubWeek(this.tally, previous: last?.tally, threshold: view.threshold, speed: view.speed)
    let report = WeekReport(
      week, by: ranking, names: view.names, top: most,
      origin: [this.origin] + (last.map { ["Last week: \($0.origin)"] } ?? []),
      remarks: this.remarks + (last?.remarks.map { "Last week: \($0)" } ?? []))
    let signs = plan.onOutput == nil ? ClubSigns.pictures : Console.outputSigns
    try plan.write { format, style in report.rendered(as: format, style: style, signs: signs) }
  }

  /// Refuses a file that is named twice, whose activities would count twice.
  ///
  /// - Throws: `CommandError.sameFeed`.
  static func checkDistinct(_ paths: [String]) throws(CommandError) {
    var seen: Set<String> = []
    for path in paths {
      let file = path == "-" ? path : URL(fileURLWithPath: path).resolvingSymlinksInPath().path
      guard seen.insert(file).inserted else { throw .sameFeed(path: path) }
    }
  }

  private static func count(_ text: String?) throws(CommandError) -> Int {
    guard let text else { return .max }
    guard let count = WholeNumber.parse(text), count > 0 else {
      throw .badValue(option: "--top", found: text, expected: "a whole number above 0, for example 20")
    }
    return count
  }
}

extension Console {
  /// The signs that the output's terminal shows.
  static var outputSigns: ClubSigns { ClubSigns(environment: ProcessInfo.processInfo.environment) }
}
