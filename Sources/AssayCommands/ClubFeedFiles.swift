// SPDX-License-Identifier: GPL-3.0-or-later
internal import ClubCore
internal import FeedFiles
internal import Foundation
internal import Reporting
internal import Workbench

/// Files of activities, and folders of them, read by the options.
struct ClubFiles {
  /// The activities of all files, in the order of the files.
  let entries: [FeedEntry]
  /// The files, in a few words.
  let names: String
  /// The skipped, completed and ignored entries, a sentence each.
  let notes: [String]
  /// The words of the sports.
  let sports: [String: Int]
  /// True if the activities have dates.
  let isDated: Bool
  /// The named folders.
  let folders: [String]

  init(_ paths: [String], _ options: ClubOptions) throws {
    let found = try ClubFolder.files(of: paths)
    let reader = FeedReader()
    var (entries, skipped, incomplete) = ([FeedEntry](), Problems(), Problems())
    for file in found.files {
      var reading = try reader.read(file.path)
      if let failure = reading.failure { throw failure }
      let problems = reading.problems
      if let first = problems.first, options.strict || reading.entries.isEmpty { throw first }
      reading.nameMembers(after: file.owner)
      skipped.add(reading.skipped, reading.skippedCount)
      incomplete.add(reading.incomplete, reading.incompleteCount)
      entries += reading.entries
    }
    if let dated = entries.first(where: \.isDated), let undated = entries.first(where: { !$0.isDated }) {
      throw CommandError.refused(
        "\(dated.location) has a date and \(undated.location) has none: which week an activity without a date "
          + "belongs to is unknown, so that they cannot be counted together; name only the files with "
          + "dates, or only those without.")
    }
    (self.entries, folders, isDated) = (entries, found.folders, entries.first?.isDated ?? false)
    sports = entries.reduce(into: [:]) { $0[$1.activity.sport.name, default: 0] += 1 }
    names = Self.named(paths)
    skipped.report("skipped")
    incomplete.report("incomplete")
    notes = [
      skipped.note { count in
        (count == 1 ? "1 malformed activity was" : "\(NumberFormat.grouped(count)) malformed activities were")
          + " skipped"
      },
      incomplete.note { count in
        "\(count == 1 ? "1 activity lacks" : "\(NumberFormat.grouped(count)) activities lack")"
          + " its climb (counted as 0 m)"
          + " or its moving time (counted as the elapsed time)"
      },
      found.ignored.isEmpty
        ? nil : "Ignored, since they are no files of activities: \(Self.listed(found.ignored)).",
    ].compactMap(\.self)
    Log.info("read", ["files": "\(found.files.count)", "activities": "\(entries.count)"])
  }

  static func none(_ example: String) -> CommandError {
    .refused(
      "no feed: name a file or a folder of members' activities, or - for the standard input, for example \(example).")
  }

  /// Problems that do not end the reading: the first ones, and their number.
  private struct Problems {
    private var first: [ClubError] = []
    private var count = 0

    mutating func add(_ problems: [ClubError], _ count: Int) {
      first += problems.prefix(FeedLimits.problems - first.count)
      self.count += count
    }

    func report(_ word: String) {
      for problem in first { Console.say("\(word): \(problem)") }
      if count > first.count { Console.say("\(word): \(NumberFormat.grouped(count - first.count)) more") }
    }

    func note(_ text: (Int) -> String) -> String? {
      guard let first = first.first else { return nil }
      var location = ""
      if case .badFeed(let at, let field, _, _) = first { location = "\(at)" + (field.isEmpty ? "" : ": \(field)") }
      return "\(text(count)); the first: \(location). --strict refuses such files."
    }
  }

  private static func named(_ paths: [String]) -> String {
    let names = paths.map(TextFile.name)
    return names.count <= 3 ? names.joined(separator: ", ") : "\(names[0]) and \(names.count - 1) more files"
  }

  private static func listed(_ names: [String]) -> String {
    names.count <= 8 ? names.joined(separator: ", ") : names.prefix(8).joined(separator: ", ") + " and others"
  }

  /// A remark if no activity counts, with the sports that there are.
  func remark(counted: Int, _ options: ClubOptions) -> String? {
    if entries.isEmpty { return "Nothing is listed." }
    guard counted == 0 else { return nil }
    let words = sports.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(8).map { "\($0.key) (\($0.value))" }
    return
      "No listed activity is \(options.sports.text), but \(words.joined(separator: ", ")); --sport all counts "
      + "everything."
  }
}

/// The files that paths of files and folders stand for.
struct ClubFolder {
  private(set) var files: [(path: String, owner: String)] = []
  private(set) var folders: [String] = []
  /// The names of files in the folders that have no activities.
  private(set) var ignored: [String] = []

  static func files(of paths: [String]) throws(CommandError) -> ClubFolder {
    var found = ClubFolder()
    for path in paths {
      var isFolder: ObjCBool = false
      if path != "-", unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
        let before = found.files.count
        found.folders.append(path)
        try found.add(folder: path, isMember: false)
        guard found.files.count > before else {
          throw .refused(
            "\(path): found a folder without files of activities, expected files that end in .json, .ndjson, .jsonl or"
              + " .csv, or in one of these and .gz, or a folder of them for each member.")
        }
      } else {
        found.files.append((path, owner(of: path)))
      }
    }
    return found
  }

  /// Adds the files of a folder. Of an export only `activities.csv` is read.
  private mutating func add(folder path: String, isMember: Bool) throws(CommandError) {
    guard let all = try? FileManager.default.contentsOfDirectory(atPath: path) else {
      throw .refused("\(path): found a folder that cannot be read, expected one that you may read.")
    }
    let names = all.filter { !$0.hasPrefix(".") }.sorted()
    let name = URL(fileURLWithPath: path).standardizedFileURL.lastPathComponent
    if let table = names.first(where: { ["activities.csv", "activities.csv.gz"].contains($0.lowercased()) }) {
      files.append(("\(path)/\(table)", name))
      return
    }
    for entry in names {
      let file = path.hasSuffix("/") ? path + entry : "\(path)/\(entry)"
      var isFolder: ObjCBool = false
      _ = unsafe FileManager.default.fileExists(atPath: file, isDirectory: &isFolder)
      if isFolder.boolValue {
        if !isMember { try add(folder: file, isMember: true) }
      } else if Self.stem(of: entry) != entry {
        files.append((file, isMember ? name : Self.owner(of: file)))
      } else {
        ignored.append(file)
      }
    }
  }

  private static let endings = [".json", ".ndjson", ".jsonl", ".csv"]

  /// The name without the ending of a file of activities; the whole name if it has none.
  private static func stem(of name: String) -> String {
    let plain = name.lowercased().hasSuffix(".gz") ? String(name.dropLast(3)) : name
    guard let ending = endings.first(where: plain.lowercased().hasSuffix) else { return name }
    return String(plain.dropLast(ending.count))
  }

  /// Whose activities a file has: its name, or that of the folder of an export.
  private static func owner(of path: String) -> String {
    guard path != "-" else { return "Standard input" }
    let file = URL(fileURLWithPath: path).standardizedFileURL
    let name = stem(of: file.lastPathComponent)
    return name.lowercased() == "activities" ? file.deletingLastPathComponent().lastPathComponent : name
  }
}

/// A week's feed without dates: all its files are one week.
struct WeekFeed {
  let tally: WeekTally
  /// The number of listed activities, including those of other sports and repeated ones.
  let listed: Int
  let filter: SportFilter
  /// The source of the week, and what was skipped of it, a sentence each.
  let origin: [String]
  let remarks: [String]

  init(_ files: ClubFiles, _ options: ClubOptions) throws {
    if let folder = files.folders.first, !files.entries.isEmpty {
      throw CommandError.refused(
        "\(folder): its activities have no dates, and a folder of them is no week; name the files of one week.")
    }
    filter = try options.sports.filter(of: files.sports.keys)
    var (pages, lines, last) = ([[Activity]](), [Activity](), (source: "", page: 0))
    for entry in files.entries {
      guard let page = entry.page else {
        lines.append(entry.activity)
        continue
      }
      if pages.isEmpty || last != (entry.location.source, page) { pages.append([]) }
      last = (entry.location.source, page)
      pages[pages.count - 1].append(entry.activity)
    }
    let union = ClubPages(pages, identical: options.identical)
    tally = WeekTally(lines + union.activities, counting: filter)
    listed = files.entries.count
    origin = ["\(files.names): \(Self.count(listed, tally.total.activities)) (\(options.sports.text))."] + files.notes
    remarks =
      [Self.remark(onRepeated: union.repeated, options.identical), files.remark(counted: tally.memberCount, options)]
      .compactMap(\.self)
      + SuspectedCollision.overlaps(in: (lines + union.activities).filter { [filter] in filter.admits($0.sport) })
      .map { $0.sentence(names: options.names) }
  }

  init(_ paths: [String], _ options: ClubOptions) throws {
    let files = try ClubFiles(paths, options)
    guard !files.isDated else {
      throw CommandError.refused(
        "\(files.names): its activities have dates; name such files together, as FILE, and all weeks are read from"
          + " them."
      )
    }
    try self.init(files, options)
  }

  /// The numbers of listed activities and of those that count, as text.
  static func count(_ listed: Int, _ counted: Int) -> String {
    "\(NumberFormat.grouped(listed)) \(listed == 1 ? "activity" : "activities") listed, "
      + "\(NumberFormat.grouped(counted)) counted"
  }

  private static func remark(onRepeated count: Int, _ identical: ClubOptions.Identical) -> String? {
    guard count > 0 else { return nil }
    let one = count == 1
    let what = "\(NumberFormat.grouped(count)) \(one ? "activity is" : "activities are") on several pages"
    return switch identical {
    case .once: "\(what), and \(one ? "was" : "were") counted once; --identical each counts every listing."
    case .each: "\(what), and \(one ? "was" : "were") counted every time; --identical once counts each ride once."
    }
  }
}

/// The weeks of files with dates.
struct DatedFeed {
  let activities: DatedActivities
  let filter: SportFilter
  let week: Week
  /// The sources, and what the week is, a sentence each.
  let origin: [String]
  let remarks: [String]

  init(_ files: ClubFiles, _ options: ClubOptions) throws {
    let (asked, zone) = (options.week, options.zone ?? .gmt)
    let calendar = WeekCalendar(timeZone: zone)
    let all = DatedActivities(files.entries, calendar: calendar)
    let current = calendar.week(of: Moment(seconds: Int(Date().timeIntervalSince1970)))
    guard let span = all.span, let last = all.lastWeek(before: current) else {
      throw CommandError.refused("\(files.names): found no activities, expected some.")
    }
    if let asked, !span.contains(asked) {
      throw CommandError.badValue(
        option: "--week", found: asked.description,
        expected: "a week of the files, from \(span.lowerBound) to \(span.upperBound)")
    }
    let filter = try options.sports.filter(of: files.sports.keys)
    let week = asked ?? last
    let own = (all.weeks[week] ?? []).filter { filter.admits($0.sport) }
    (activities, self.filter, self.week) = (all, filter, week)
    let listed = files.entries.count
    let counted = "\(NumberFormat.grouped(own.count)) of \(week) counted (\(options.sports.text))."
    origin =
      [
        "\(files.names): \(NumberFormat.grouped(listed)) \(listed == 1 ? "activity" : "activities")"
          + (span.lowerBound == span.upperBound ? "" : " from \(span.lowerBound) to \(span.upperBound)")
          + ", \(counted)",
        Self.sentence(about: week, all, zone: zone),
      ] + files.notes
    let isOver = week < current
    remarks =
      [
        all.repeated > 0
          ? all.repeated == 1
            ? "1 activity was read more than once, by the id, and counts once."
            : "\(NumberFormat.grouped(all.repeated)) activities were read more than once, by the id, and count once."
          : nil,
        isOver ? nil : "\(week) is not over yet.",
        isOver && asked == nil && week != current.previous
          ? "There is no activity in \(current.previous), the last week that is over; \(week) is the last one with any."
          : nil,
        own.isEmpty
          ? files.remark(counted: all.history(counting: filter).weeks.count { $0.tally.memberCount > 0 }, options)
          : nil,
      ].compactMap(\.self) + SuspectedCollision.overlaps(in: own).map { $0.sentence(names: options.names) }
  }

  private static func sentence(about week: Week, _ all: DatedActivities, zone: TimeZone) -> String {
    let days = "Monday \(week.firstDay) to Sunday \(week.lastDay)"
    let name = zone.identifier == "GMT" ? "UTC" : zone.identifier
    let others = all.withoutLocalTime
    if others == 0 { return "The week is \(days), by the local time of each activity." }
    let hint = name == "UTC" ? "; --zone names another time zone" : ""
    if others == all.count { return "The week is \(days), by the time in \(name)\(hint)." }
    return "The week is \(days), by the local time of each activity; of \(NumberFormat.grouped(others)) without one by"
      + " the time in \(name)\(hint)."
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

  init(_ pages: [[Activity]], identical: ClubOptions.Identical) {
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
  let filter: SportFilter

  init(_ found: ClubFiles?, history folder: String?, _ options: ClubOptions) throws {
    let files = options.files
    let past = try folder.map { path throws(CommandError) in try ClubHistoryFolder(path) }
    var filter = SportFilter.cycling
    guard !files.isEmpty || past != nil else {
      throw ClubFiles.none("assay club insights members/ --member \"Tom B.\"")
    }
    let choice = try Self.choice(files, past: past, asked: options.week)
    var (weeks, remarks) = ([(Week, WeekTally)](), choice.remarks)
    var (origin, listed, counted) = ([String](), 0, 0)
    for (week, paths) in past?.weeks ?? [] where files.isEmpty || week != choice.week {
      let feed = try WeekFeed(paths, options)
      filter = feed.filter
      weeks.append((week, feed.tally))
      remarks += feed.remarks.map { "\(week): \($0)" }
      if week == choice.week {
        origin += feed.origin
      } else {
        listed += feed.listed
        counted += feed.tally.total.activities
      }
    }
    let others = weeks.map(\.0).filter { $0 != choice.week }
    if let found {
      let feed = try WeekFeed(found, options)
      filter = feed.filter
      weeks.append((choice.week, feed.tally))
      origin += feed.origin
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
    self.filter = filter
  }

  /// The weeks of files with dates.
  init(_ feed: DatedFeed) {
    (history, week) = (feed.activities.history(counting: feed.filter), feed.week)
    (origin, remarks, filter) = (feed.origin, feed.remarks, feed.filter)
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
