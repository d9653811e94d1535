// SPDX-License-Identifier: GPL-3.0-or-later
internal import ClubCore
internal import Foundation
internal import Reporting

/// The weeks of a club, read from a history's folder and from the files of the week that is looked at.
struct ClubWeeks {
  /// The weeks.
  let history: ClubHistory
  /// The week that is looked at.
  let week: Week
  /// What was read, a sentence each.
  let origin: [String]
  /// What a reader should know before believing the numbers, a sentence each.
  let remarks: [String]

  /// Reads weeks.
  ///
  /// - Parameters:
  ///   - files: The files of the week that is looked at; none where the history has it.
  ///   - folder: The history's folder.
  ///   - asked: The week that is looked at, where it was said.
  ///   - options: How files are read.
  ///   - names: How names are shown in remarks.
  /// - Throws: `CommandError` where there is nothing to read or no such week, `FeedFileError` for what cannot be read.
  init(
    _ files: [String], history folder: String?, asked: Week?, _ options: ClubFeedOptions.Checked, names: NameStyle
  ) throws {
    let past = try folder.map { path throws(CommandError) in try ClubHistoryFolder(path) }
    guard !files.isEmpty || past != nil else {
      throw CommandError.noFeed(example: "assay club insights week.json --member \"Tom B.\"")
    }
    try ClubReportCommand.checkDistinct(files)
    let choice = try Self.choice(files, past: past, asked: asked)
    var (weeks, remarks) = ([(Week, WeekTally)](), choice.remarks)
    var (origin, listed, counted) = ([String](), 0, 0)
    for (week, paths) in past?.weeks ?? [] where files.isEmpty || week != choice.week {
      let feed = try ClubFeed(paths, options, names: names)
      weeks.append((week, feed.tally))
      remarks += feed.remarks.map { "\(week): \($0)" }
      if week == choice.week {
        origin.append(feed.origin)
      } else {
        listed += feed.listed
        counted += feed.tally.total.activities
      }
    }
    let others = weeks.map(\.0).filter { $0 != choice.week }
    if !files.isEmpty {
      let feed = try ClubFeed(files, options, names: names)
      weeks.append((choice.week, feed.tally))
      origin.append(feed.origin)
      remarks += feed.remarks
    }
    if let first = others.first, let last = others.last {
      let span = others.count == 1 ? "1 week, \(first)" : "\(others.count) weeks, \(first) to \(last)"
      origin.append("History: \(span), \(ClubFeed.count(listed, counted)).")
    }
    if let strangers = past?.others, !strangers.isEmpty {
      let names = strangers.map(TerminalText.harmless).joined(separator: ", ")
      remarks.append("Left alone, since their names begin with no week: \(names)")
    }
    (history, week, self.origin, self.remarks) = (ClubHistory(weeks), choice.week, origin, remarks)
  }

  /// Which week is looked at, and what has to be said about that.
  private static func choice(
    _ files: [String], past: ClubHistoryFolder?, asked: Week?
  ) throws(CommandError) -> (week: Week, remarks: [String]) {
    let known = past?.weeks.map(\.week) ?? []
    guard !files.isEmpty else {
      guard let asked else { return (known.last ?? Week(number: 0), []) }
      guard known.contains(asked) else {
        throw .badValue(
          option: "--week", found: asked.description,
          expected: "one of the history's: \(known.map(\.description).joined(separator: ", "))")
      }
      return (asked, [])
    }
    let named = Set(files.compactMap(ClubHistoryFolder.week))
    if let asked {
      let others = named.subtracting([asked]).sorted().map(\.description)
      return (
        asked, others.isEmpty ? [] : ["Taken for \(asked), though files are named \(others.joined(separator: ", "))."]
      )
    }
    guard named.count < 2 else {
      throw .badValue(
        option: "--week", found: "nothing",
        expected: "which week the files are: \(named.sorted().map(\.description).joined(separator: " or "))")
    }
    if let week = named.first { return (week, []) }
    if let newest = known.last {
      return (
        newest.next,
        ["The week is taken for \(newest.next), the one after the history's newest; --week says otherwise."]
      )
    }
    let today = WeekCalendar.utc.week(of: Moment(seconds: Int(Date().timeIntervalSince1970)))
    return (today, ["The week is taken for \(today), today's by UTC; --week says otherwise."])
  }
}
