// SPDX-License-Identifier: GPL-3.0-or-later
internal import ClubCore
internal import FeedFiles
internal import Foundation
internal import Reporting

/// A week's feed, read from its files as the options ask.
struct ClubFeed {
  /// What the activities that count come to.
  let tally: WeekTally
  /// How many activities were listed, those of other sports and those listed again among them.
  let listed: Int
  /// What was read, in a sentence.
  let origin: String
  /// What a reader should know before believing the numbers, a sentence each.
  let remarks: [String]

  /// Reads files.
  ///
  /// - Parameters:
  ///   - paths: The files; `-` is standard input.
  ///   - options: How.
  ///   - names: How names are shown in remarks.
  /// - Throws: `FeedFileError` for what cannot be read. Malformed lines are told on the error stream and skipped,
  ///   unless the reading is strict or nothing else is there.
  init(_ paths: [String], _ options: ClubFeedOptions.Checked, names: NameStyle) throws(FeedFileError) {
    var (sum, pages) = (FeedTally(), [[Activity]]())
    for path in paths {
      switch try ClubFeedFile(path, options, keepsPages: paths.count > 1) {
      case .page(let activities): pages.append(activities)
      case .tally(let tally):
        Self.tell(of: tally)
        sum.merge(tally)
      }
    }
    let union = ClubPages(pages, identical: options.identical)
    var week = sum.week
    week.merge(WeekTally(union.activities, counting: options.filter))
    tally = week
    listed = sum.activities + pages.reduce(0) { $0 + $1.count }
    origin = Self.origin(paths, listed: listed, counted: tally.total.activities, sports: options.sports)
    remarks =
      [
        Self.remark(onRepeated: union.repeated, options.identical), Self.remark(onSkipped: sum.problemCount),
        listed > 0 && tally.memberCount == 0
          ? "Nothing of what is listed is \(options.sports); --sport all counts everything." : nil,
        listed == 0 ? "Nothing is listed." : nil,
      ].compactMap(\.self)
      + SuspectedCollision.overlaps(in: union.activities.filter { options.filter.admits($0.sport) })
      .map { $0.sentence(names: names) }
    Log.info("read", ["files": "\(paths.count)", "activities": "\(listed)", "members": "\(tally.memberCount)"])
  }

  private static func tell(of tally: FeedTally) {
    for problem in tally.problems { Console.say("skipped: \(TerminalText.harmless("\(problem)"))") }
    let more = tally.problemCount - tally.problems.count
    if more > 0 { Console.say("skipped: \(NumberFormat.grouped(more)) more") }
  }

  private static func origin(_ paths: [String], listed: Int, counted: Int, sports: String) -> String {
    let names = paths.map { $0 == "-" ? "standard input" : TerminalText.harmless($0) }
    let files = names.count <= 3 ? names.joined(separator: ", ") : "\(names[0]) and \(names.count - 1) more files"
    return "\(files): \(count(listed, counted)) (\(sports))."
  }

  /// How many activities were listed, and how many of them count.
  static func count(_ listed: Int, _ counted: Int) -> String {
    "\(NumberFormat.grouped(listed)) \(listed == 1 ? "activity" : "activities") listed, "
      + "\(NumberFormat.grouped(counted)) counted"
  }

  private static func remark(onRepeated count: Int, _ identical: ClubFeedOptions.Identical) -> String? {
    guard count > 0 else { return nil }
    let one = count == 1
    let what = "\(NumberFormat.grouped(count)) \(one ? "activity stands" : "activities stand") on several pages alike"
    return switch identical {
    case .once: "\(what), and \(one ? "was" : "were") counted once; --identical each counts every listing."
    case .each: "\(what), and \(one ? "was" : "were") counted every time; --identical once counts each ride once."
    }
  }

  private static func remark(onSkipped count: Int) -> String? {
    guard count > 0 else { return nil }
    return "\(NumberFormat.grouped(count)) malformed \(count == 1 ? "line was" : "lines were") skipped; "
      + "--strict refuses such a feed."
  }
}
