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
  /// - Throws: `FeedFileError` for what cannot be read. Malformed lines are told on the error stream and skipped, unless
  ///   the reading is strict or nothing else is there.
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

/// What is made of one feed file.
enum ClubFeedFile {
  /// A page's activities.
  case page([Activity])
  /// What a file comes to, whose activities are not kept.
  case tally(FeedTally)

  /// Reads a file. Pages are refused for a malformed activity; of files of lines bad lines are skipped unless the
  /// reading is strict.
  ///
  /// - Parameters:
  ///   - path: The file; `-` is standard input.
  ///   - options: How.
  ///   - keepsPages: Whether the activities of pages are kept, because other pages may overlap; those of small ones are.
  /// - Throws: `FeedFileError`.
  init(_ path: String, _ options: ClubFeedOptions.Checked, keepsPages: Bool) throws(FeedFileError) {
    guard let size = Self.size(of: path) else {
      self = try Self.piped(path, options)
      return
    }
    let isPage = Self.layout(of: path) == .array
    let reader = FeedReader(isLenient: !isPage && !options.isStrict, counting: options.filter)
    self =
      isPage && (keepsPages || size <= Self.mostKept)
      ? .page(try reader.activities(of: [path]).activities) : .tally(try Self.some(of: try reader.tally(of: [path])))
  }

  /// Reads what can be read only once.
  private static func piped(_ path: String, _ options: ClubFeedOptions.Checked) throws(FeedFileError) -> Self {
    var file = try FeedFile.open(path)
    let beginning = try file.nextChunk() ?? []
    if FeedLayout(beginning: beginning.span) == .array {
      var collector = FeedCollector(source: path)
      collector.consume(beginning.span)
      while !collector.hasStopped, let chunk = try file.nextChunk() { collector.consume(chunk.span) }
      do { return .page(try collector.finish().activities) } catch { throw .badFeed(error) }
    }
    var stream = FeedStream(source: path, counting: options.filter, isLenient: !options.isStrict)
    stream.consume(beginning.span)
    while !stream.hasStopped, let chunk = try file.nextChunk() { stream.consume(chunk.span) }
    let tally: FeedTally
    do { tally = try stream.finish() } catch { throw .badFeed(error) }
    return .tally(try some(of: tally))
  }

  /// Refuses a file of which nothing could be read.
  private static func some(of tally: FeedTally) throws(FeedFileError) -> FeedTally {
    if tally.activities == 0, let first = tally.problems.first { throw .badFeed(first) }
    return tally
  }

  /// Bytes of a page that is kept although it stands alone, for what single activities say about names.
  private static let mostKept = 8 << 20

  /// How many bytes a file has that can be read twice; nil for others.
  private static func size(of path: String) -> Int? {
    let file = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    guard let facts = try? FileManager.default.attributesOfItem(atPath: file),
      facts[.type] as? FileAttributeType == .typeRegular
    else { return nil }
    return facts[.size] as? Int
  }

  /// How a file parts its activities; nil where it cannot be read so far, which reading it tells better.
  private static func layout(of path: String) -> FeedLayout? {
    guard var file = try? FeedFile.open(path), let beginning = try? file.nextChunk(4096) else { return nil }
    return FeedLayout(beginning: beginning.span)
  }
}
