// SPDX-License-Identifier: GPL-3.0-or-later
internal import ClubCore
internal import FeedFiles
internal import Foundation
internal import Reporting
internal import Workbench

/// A week's feed, read from its files by the options.
struct WeekFeed {
  let tally: WeekTally
  /// The number of listed activities, including those of other sports and repeated ones.
  let listed: Int
  /// The source of the weeks, in a sentence.
  let origin: String
  let remarks: [String]

  init(_ paths: [String], _ options: ClubFeedOptions.Checked, names: NameStyle) throws(FeedFileError) {
    var (sum, pages) = (FeedTally(), [[Activity]]())
    let reader = FeedReader(workers: options.jobs, isLenient: !options.isStrict, counting: options.filter)
    var room = FeedReader.mostKeptTogether
    for path in paths {
      switch try reader.read(path, keepingUpTo: paths.count > 1 ? room : nil) {
      case .page(let activities, let bytes):
        pages.append(activities)
        room -= bytes
      case .tally(let tally):
        Self.report(problemsOf: tally)
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
          ? "No listed activity is \(options.sports); --sport all counts everything." : nil,
        listed == 0 ? "Nothing is listed." : nil,
      ].compactMap(\.self)
      + SuspectedCollision.overlaps(in: union.activities.filter { options.filter.admits($0.sport) })
      .map { $0.sentence(names: names) }
    Log.info("read", ["files": "\(paths.count)", "activities": "\(listed)", "members": "\(tally.memberCount)"])
  }

  private static func report(problemsOf tally: FeedTally) {
    for problem in tally.problems { Console.say("skipped: \(problem)") }
    let more = tally.problemCount - tally.problems.count
    if more > 0 { Console.say("skipped: \(NumberFormat.grouped(more)) more") }
  }

  private static func origin(_ paths: [String], listed: Int, counted: Int, sports: String) -> String {
    let names = paths.map { $0 == "-" ? "standard input" : $0 }
    let files = names.count <= 3 ? names.joined(separator: ", ") : "\(names[0]) and \(names.count - 1) more files"
    return "\(files): \(count(listed, counted)) (\(sports))."
  }

  /// The numbers of listed activities and of those that count, as text.
  static func count(_ listed: Int, _ counted: Int) -> String {
    "\(NumberFormat.grouped(listed)) \(listed == 1 ? "activity" : "activities") listed, "
      + "\(NumberFormat.grouped(counted)) counted"
  }

  private static func remark(onRepeated count: Int, _ identical: ClubFeedOptions.Identical) -> String? {
    guard count > 0 else { return nil }
    let one = count == 1
    let what = "\(NumberFormat.grouped(count)) \(one ? "activity is" : "activities are") on several pages"
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

/// Pages of one listing, which overlap if the listing moved between two fetches or a page was fetched twice.
///
/// A page lists every activity once, so two equal ones on one page are two activities: a second commute is a new ride.
/// Equal ones on two pages are most likely one that was listed twice. The feed does not decide this with certainty,
/// hence the option, and the reported count.
struct ClubPages {
  /// The activities that count, in the pages' order.
  let activities: [Activity]
  /// The number of further listings on other pages, left out or counted again.
  let repeated: Int

  init(_ pages: [[Activity]], identical: ClubFeedOptions.Identical) {
    var counted: [Listing: Int] = [:]
    var (activities, repeated) = ([Activity](), 0)
    for page in pages {
      var onPage: [Listing: Int] = [:]
      for activity in page {
        let listing = Listing(activity)
        onPage[listing, default: 0] += 1
        // An activity counts as often as on the page that has it most often.
        let isNew = onPage[listing, default: 0] > counted[listing, default: 0]
        if isNew { counted[listing, default: 0] += 1 } else { repeated += 1 }
        if isNew || identical == .each { activities.append(activity) }
      }
    }
    (self.activities, self.repeated) = (activities, repeated)
  }

  /// The facts that two listings of one activity have in common, except for a new title; the start, if the feed has it,
  /// distinguishes two rides that are equal otherwise.
  private struct Listing: Hashable {
    let fingerprint: ActivityFingerprint
    let start: Moment?

    init(_ activity: Activity) { (fingerprint, start) = (ActivityFingerprint(activity), activity.start) }
  }
}

/// The weeks of a club, read from a history's folder and from the files of the chosen week.
struct ClubWeeks {
  let history: ClubHistory
  let week: Week
  /// The sources of the weeks, a sentence each.
  let origin: [String]
  let remarks: [String]

  init(
    _ files: [String], history folder: String?, asked: Week?, _ options: ClubFeedOptions.Checked, names: NameStyle
  ) throws {
    let past = try folder.map { path throws(CommandError) in try ClubHistoryFolder(path) }
    guard !files.isEmpty || past != nil else {
      throw ClubFeedOptions.noFeed("assay club insights week.json --member \"Tom B.\"")
    }
    try ClubReportCommand.checkDistinct(files)
    let choice = try Self.choice(files, past: past, asked: asked)
    var (weeks, remarks) = ([(Week, WeekTally)](), choice.remarks)
    var (origin, listed, counted) = ([String](), 0, 0)
    for (week, paths) in past?.weeks ?? [] where files.isEmpty || week != choice.week {
      let feed = try WeekFeed(paths, options, names: names)
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
      let feed = try WeekFeed(files, options, names: names)
      weeks.append((choice.week, feed.tally))
      origin.append(feed.origin)
      remarks += feed.remarks
    }
    if let first = others.first, let last = others.last {
      let span = others.count == 1 ? "1 week, \(first)" : "\(others.count) weeks, \(first) to \(last)"
      origin.append("History: \(span), \(WeekFeed.count(listed, counted)).")
    }
    if let ignored = past?.others, !ignored.isEmpty {
      let names = ignored.joined(separator: ", ")
      remarks.append("Ignored, since their names begin with no week: \(names)")
    }
    if let copies = past?.copies, !copies.isEmpty {
      remarks.append("Ignored, since they also exist uncompressed: \(copies.joined(separator: ", "))")
    }
    (history, week, self.origin, self.remarks) = (ClubHistory(weeks), choice.week, origin, remarks)
  }

  /// The chosen week, and a remark about the choice.
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
        asked, others.isEmpty ? [] : ["Assumed to be \(asked), but files are named \(others.joined(separator: ", "))."]
      )
    }
    guard named.count < 2 else {
      throw .refused(
        "no --week: name the week of the files, \(named.sorted().map(\.description).joined(separator: " or ")).")
    }
    if let week = named.first { return (week, []) }
    if let newest = known.last {
      return (
        newest.next,
        ["The week is assumed to be \(newest.next), the one after the history's newest; --week names another."]
      )
    }
    let today = WeekCalendar.utc.week(of: Moment(seconds: Int(Date().timeIntervalSince1970)))
    return (today, ["The week is assumed to be \(today), today's by UTC; --week names another."])
  }
}

/// A folder of feed files, each named after its week: `2026-W46.json`, `2026-W46-2.ndjson.gz`.
struct ClubHistoryFolder {
  /// The files by week, weeks ascending and the files of a week by name.
  let weeks: [(week: Week, files: [String])]
  /// The names of all other files except hidden ones, sorted.
  let others: [String]
  /// The compressed files that also exist uncompressed, and are left out.
  let copies: [String]

  init(_ path: String) throws(CommandError) {
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else {
      let exists = FileManager.default.fileExists(atPath: path)
      throw .badValue(
        option: "--history", found: path,
        expected: exists ? "a folder that you may read, not a file" : "a folder that exists")
    }
    let all = names.filter { !$0.hasPrefix(".") }.sorted()
    copies = all.filter { $0.hasSuffix(".gz") && all.contains(String($0.dropLast(3))) }
    let shown = all.filter { [copies] in !copies.contains($0) }
    let dated = shown.compactMap { name in Self.week(ofFile: name).map { (week: $0, file: "\(path)/\(name)") } }
    guard !dated.isEmpty else {
      throw .badValue(
        option: "--history", found: path,
        expected: "a folder with files named after weeks, for example 2026-W46.json; there is none in it")
    }
    weeks = Dictionary(grouping: dated, by: \.week).sorted { $0.key < $1.key }.map { week, files in
      (week, files.map(\.file))
    }
    others = shown.filter { Self.week(ofFile: $0) == nil }
  }

  /// The week in a file's name.
  static func week(ofFile path: String) -> Week? {
    let name = URL(fileURLWithPath: path).lastPathComponent
    let endings = ["json", "ndjson", "jsonl"].flatMap { [".\($0)", ".\($0).gz"] }
    guard let week = Week(String(name.prefix(8))), endings.contains(where: name.lowercased().hasSuffix) else {
      return nil
    }
    let rest = name.dropFirst(8)
    return rest.first == "." || rest.first == "-" ? week : nil
  }
}

extension FeedFileError: InputError {}
