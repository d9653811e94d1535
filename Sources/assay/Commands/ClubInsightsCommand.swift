// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser
internal import ClubCore
internal import ClubLab
internal import Foundation
internal import Reporting

/// What is worth saying about a member's week.
struct ClubInsightsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "insights",
    abstract: "Says what is worth saying about a member's week, in true sentences.",
    discussion: """
      Example: assay club insights week.json --member "Tom B."
      Example: assay club insights --member "Tom B." --mode deep --history weeks --week 2026-W46

      Modes: mine is a member's own week with a tip, top sets it against the best three, deep asks what made it differ \
      from the member's usual week.

      A history is a folder of feed files named by the week as ISO 8601 has it: 2026-W46.json, 2026-W46-2.ndjson.gz. \
      Whatever else is in it is told and left alone. Without FILE the week that is looked at is the newest there; FILE \
      stands for that week instead of what the history has of it. Which week FILE is, its own name may say, else \
      --week, else it is the one after the newest there.

      Case, idle spaces and full stops in the name do not matter. Files are read as assay club report does.
      """)

  @Argument(
    help: "The files of the week that is looked at; - is the standard input. Example: 2026-W47.json",
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

  @Option(help: ArgumentHelp("The week that is looked at. Example: --week 2026-W47", valueName: "week"))
  var week: String?

  @OptionGroup var feed: ClubFeedOptions
  @OptionGroup var look: ClubWeekOptions
  @OptionGroup var destination: OutputOptions

  func run() throws {
    let perspective = try ClubWord.parse("--mode", mode, among: InsightMode.allCases)
    let (reading, view) = (try feed.checked(), try look.checked())
    let asked = try Self.week(week)
    let plan = try destination.plan(for: "insights", formats: [.text, .markdown, .csv, .json])
    let weeks = try ClubWeeks(files, history: history, asked: asked, reading, names: view.names)
    let insights = Insights(
      history: weeks.history, week: weeks.week, member: try Self.member(member, in: weeks.history, reading),
      speed: view.speed,
      threshold: view.threshold, names: view.names)
    let report = InsightsReport(insights, perspective, origin: weeks.origin, remarks: weeks.remarks)
    let signs = plan.onOutput == nil ? ClubSigns.pictures : Console.outputSigns
    try plan.write { format, style in report.rendered(as: format, style: style, signs: signs) }
  }

  /// The member of that name; where nobody counts who is called alike, the sports may be the reason.
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
