// SPDX-License-Identifier: GPL-3.0-or-later
internal import ClubCore
internal import FeedFiles
internal import Foundation

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
  ///   - keepsPages: Whether the activities of pages are kept, because others may overlap; those of small ones are.
  /// - Throws: `FeedFileError`.
  init(_ path: String, _ options: ClubFeedOptions.Checked, keepsPages: Bool) throws(FeedFileError) {
    guard let size = Self.size(of: path) else {
      self = try Self.piped(path, options)
      return
    }
    let isPage = Self.layout(of: path) == .array
    let reader = FeedReader(
      workers: options.jobs, isLenient: !isPage && !options.isStrict, counting: options.filter)
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
