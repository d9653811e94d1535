// SPDX-License-Identifier: Apache-2.0

package protocol FeedSink: Sendable {
  mutating func take(_ item: Span<UInt8>, ending: FeedEnding) throws(FeedFault)

  /// Reads as many activities as possible that `take` would accept, from the start of a line or an item.
  mutating func readAhead(_ bytes: Span<UInt8>, from start: Int, layout: FeedLayout) -> ReadAhead
}

extension FeedSink {
  package mutating func readAhead(_ bytes: Span<UInt8>, from start: Int, layout: FeedLayout) -> ReadAhead {
    ReadAhead(end: start)
  }
}

package struct ReadAhead {
  /// The start of the first line or item that was not read, or the position behind an item.
  package var end: Int
  package var items = 0
  package var lines = 0
  /// Whether it stopped behind an item of an array and not before one.
  package var isBehindItem = false

  package init(end: Int) {
    self.end = end
  }
}

/// The layout of the activities in a feed.
package enum FeedLayout: Sendable {
  case lines
  case array

  /// The layout of a feed by its beginning; `nil` for white space only.
  package init?(beginning: Span<UInt8>) {
    guard let first = beginning.indices.first(where: { !FeedScanner.isSpace(beginning[$0]) }) else { return nil }
    self = beginning[first] == UInt8(ascii: "[") ? .array : .lines
  }
}

/// Splits a feed that arrives in arbitrary chunks into its activities. It stores at most one of them.
package struct FeedSplitter<Sink: FeedSink>: Sendable {
  private enum Phase {
    case start
    case line, overlongLine
    case firstItem, nextItem, inItem, behindItem, behindArray
    case stopped
  }

  package var sink: Sink
  package let isLenient: Bool
  package private(set) var log = FeedLog()
  private var phase = Phase.start
  private var part = 0
  /// The line within the part, from 1.
  private var line = 1
  /// The number of activities, including invalid ones.
  private var items = 0
  /// The bytes of the current activity so far.
  private var carry: [UInt8] = []
  private var tracker = ItemTracker()

  package init(sink: Sink, isLenient: Bool) {
    (self.sink, self.isLenient) = (sink, isLenient)
  }

  /// Whether an error stopped the reading of the feed.
  package var hasStopped: Bool { phase == .stopped }

  package mutating func consume(_ bytes: Span<UInt8>) {
    var position = 0
    while position < bytes.count {
      switch phase {
      case .start: start(bytes, &position)
      case .line: takeLine(bytes, &position)
      case .overlongLine: skipLine(bytes, &position)
      case .inItem: takeItem(bytes, &position)
      case .firstItem, .nextItem, .behindItem, .behindArray: betweenItems(bytes, &position)
      case .stopped: return
      }
    }
  }

  /// Reads a part of a feed of lines: whole lines; other splitters read the parts before and after.
  package mutating func consume(_ bytes: Span<UInt8>, part: Int) {
    if phase == .stopped { return }
    (self.part, line, phase) = (part, 1, .line)
    consume(bytes)
    finishLine()
    log.parts.append((part, line - 1))
  }

  /// Ends the feed; an incomplete activity is reported.
  package mutating func finish() {
    switch phase {
    case .start, .overlongLine, .behindArray, .stopped: break
    case .line: finishLine()
    case .inItem:
      let item = carriedOff()
      take(item.span, ending: .feed)
      phase = .stopped
    case .firstItem, .nextItem:
      report(FeedFault(found: FeedEnding.feed.rawValue, expected: "an activity"), item: items + 1)
    case .behindItem:
      report(FeedFault(found: FeedEnding.feed.rawValue, expected: "',' or ']'"), item: items)
    }
    if items == 0, log.count == 0, phase == .start || phase == .line { log.isEmpty = true }
  }

  private mutating func finishLine() {
    guard phase == .line, !carry.isEmpty else { return }
    let rest = carriedOff()
    endLine(rest.span, ending: .feed)
    line += 1
  }

  private mutating func start(_ bytes: Span<UInt8>, _ position: inout Int) {
    skipSpace(bytes, &position)
    guard position < bytes.count else { return }
    if bytes[position] == UInt8(ascii: "[") {
      position += 1
      phase = .firstItem
    } else {
      phase = .line
    }
  }

  /// Lets the sink read ahead. Returns whether the position is then behind an item of an array.
  private mutating func readAhead(_ bytes: Span<UInt8>, _ position: inout Int, layout: FeedLayout) -> Bool {
    let ahead = sink.readAhead(bytes, from: position, layout: layout)
    (position, items, line) = (ahead.end, items + ahead.items, line + ahead.lines)
    return ahead.isBehindItem
  }

  private mutating func skipSpace(_ bytes: Span<UInt8>, _ position: inout Int) {
    while position < bytes.count, FeedScanner.isSpace(bytes[position]) {
      if bytes[position] == UInt8(ascii: "\n") { line += 1 }
      position += 1
    }
  }

  private func lineEnd(_ bytes: Span<UInt8>, from position: Int) -> Int? {
    var index = position
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "\n") { return index }
      index += 1
    }
    return nil
  }

  private mutating func append(_ bytes: Span<UInt8>, from start: Int, to end: Int) {
    for index in start..<end { carry.append(bytes[index]) }
  }

  /// Removes and returns the bytes of the current activity so far.
  private mutating func carriedOff() -> [UInt8] {
    defer { carry = [] }
    return carry
  }

  // MARK: lines

  private mutating func takeLine(_ bytes: Span<UInt8>, _ position: inout Int) {
    if carry.isEmpty { _ = readAhead(bytes, &position, layout: .lines) }
    let start = position
    guard let end = lineEnd(bytes, from: start) else {
      position = bytes.count
      guard carry.count + position - start <= FeedLimits.activityBytes else {
        reportOverlong()
        carry = []
        if phase != .stopped { phase = .overlongLine }
        return
      }
      append(bytes, from: start, to: position)
      return
    }
    position = end + 1
    if carry.isEmpty {
      endLine(bytes.extracting(start..<end), ending: .line)
    } else {
      append(bytes, from: start, to: end)
      let whole = carriedOff()
      endLine(whole.span, ending: .line)
    }
    line += 1
  }

  private mutating func skipLine(_ bytes: Span<UInt8>, _ position: inout Int) {
    guard let end = lineEnd(bytes, from: position) else {
      position = bytes.count
      return
    }
    position = end + 1
    line += 1
    phase = .line
  }

  private mutating func endLine(_ bytes: Span<UInt8>, ending: FeedEnding) {
    guard bytes.indices.contains(where: { !FeedScanner.isSpace(bytes[$0]) }) else { return }
    guard bytes.count <= FeedLimits.activityBytes else { return reportOverlong() }
    items += 1
    do throws(FeedFault) {
      try sink.take(bytes, ending: ending)
    } catch {
      report(error, item: nil)
    }
  }

  // MARK: arrays

  private mutating func betweenItems(_ bytes: Span<UInt8>, _ position: inout Int) {
    skipSpace(bytes, &position)
    guard position < bytes.count else { return }
    let byte = bytes[position]
    switch (phase, byte) {
    case (.firstItem, UInt8(ascii: "]")), (.behindItem, UInt8(ascii: "]")): phase = .behindArray
    case (.behindItem, UInt8(ascii: ",")): phase = .nextItem
    case (.behindItem, _): stop(at: byte, expected: "',' or ']' behind the activity", item: items)
    case (.behindArray, _): stop(at: byte, expected: "nothing behind the array", item: nil)
    case (_, UInt8(ascii: "]")), (_, UInt8(ascii: ",")): stop(at: byte, expected: "an activity", item: items + 1)
    default:
      if readAhead(bytes, &position, layout: .array) {
        phase = .behindItem
      } else {
        (phase, tracker) = (.inItem, ItemTracker(first: bytes[position]))
        items += 1
      }
      return
    }
    position += 1
  }

  private mutating func takeItem(_ bytes: Span<UInt8>, _ position: inout Int) {
    let start = position
    let end = tracker.end(bytes, from: start)
    position = end ?? bytes.count
    guard carry.count + position - start <= FeedLimits.activityBytes else {
      reportOverlong()
      phase = .stopped
      return
    }
    guard end != nil else { return append(bytes, from: start, to: position) }
    phase = .behindItem
    if carry.isEmpty {
      take(bytes.extracting(start..<position), ending: .feed)
    } else {
      append(bytes, from: start, to: position)
      let whole = carriedOff()
      take(whole.span, ending: .feed)
    }
  }

  private mutating func take(_ item: Span<UInt8>, ending: FeedEnding) {
    do throws(FeedFault) {
      try sink.take(item, ending: ending)
    } catch {
      report(error, item: items, lineOffset: Self.lines(item, before: error.offset))
      if phase != .stopped, !isJSON(item) {
        report(
          FeedFault(found: "text that is not JSON", expected: "JSON: the rest of the feed has not been read"),
          item: items, lineOffset: Self.lines(item, before: error.offset))
        phase = .stopped
      }
    }
    line += Self.lines(item, before: item.count)
  }

  private func isJSON(_ item: Span<UInt8>) -> Bool {
    var scanner = FeedScanner(ending: .feed)
    do throws(FeedFault) { try scanner.skipValue(item, depth: 0) } catch { return false }
    return scanner.position == item.count
  }

  private static func lines(_ bytes: Span<UInt8>, before end: Int) -> Int {
    var lines = 0
    for index in 0..<min(end, bytes.count) where bytes[index] == UInt8(ascii: "\n") { lines += 1 }
    return lines
  }

  // MARK: problems

  private mutating func stop(at byte: UInt8, expected: String, item: Int?) {
    report(FeedFault(found: FeedScanner.spelling(of: byte), expected: expected), item: item)
    phase = .stopped
  }

  private mutating func reportOverlong() {
    report(
      FeedFault(
        found: "more than \(FeedLimits.activityBytes) bytes", expected: "an activity of at most one MiB"),
      item: phase == .inItem ? items : nil)
  }

  private mutating func report(_ fault: FeedFault, item: Int?, lineOffset: Int = 0) {
    log.report(FeedLog.Problem(part: part, line: line + lineOffset, activity: item, fault: fault))
    if !isLenient { phase = .stopped }
  }
}

/// Finds the end of an array's item over all chunks, without checking its content: the parser checks it, and finds any
/// error that could mislead the search no later than the search does.
private struct ItemTracker {
  private enum Kind { case brackets, text, word }

  private var kind = Kind.word
  private var depth = 0
  private var isInText = false
  private var isEscaped = false

  init() {}

  init(first byte: UInt8) {
    switch byte {
    case UInt8(ascii: "{"), UInt8(ascii: "["): kind = .brackets
    case UInt8(ascii: "\""): kind = .text
    default: kind = .word
    }
  }

  /// The index behind the item's last byte; `nil` if the item continues in the next chunk.
  mutating func end(_ bytes: Span<UInt8>, from start: Int) -> Int? {
    for index in start..<bytes.count {
      let byte = bytes[index]
      if isInText {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isInText = false
          if kind == .text { return index + 1 }
        }
        continue
      }
      switch byte {
      case UInt8(ascii: "\"") where kind != .word: isInText = true
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if kind == .word { return index }
        depth -= 1
        if depth == 0 { return index + 1 }
      case UInt8(ascii: ","), UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"):
        if kind == .word { return index }
      default: break
      }
    }
    return nil
  }
}

/// The errors in the parts of a feed that one reader has read, by part and line.
package struct FeedLog: Sendable {
  fileprivate struct Problem {
    let part: Int
    /// The line within the part, from 1.
    let line: Int
    let activity: Int?
    let fault: FeedFault
  }

  /// The first errors, at most `FeedLimits.problems`.
  private var problems: [Problem] = []
  package private(set) var count = 0
  package fileprivate(set) var isEmpty = false
  fileprivate var parts: [(part: Int, lines: Int)] = []

  fileprivate mutating func report(_ problem: Problem) {
    count += 1
    if problems.count < FeedLimits.problems { problems.append(problem) }
  }

  /// The errors of all readers of a feed in the order of the feed, with lines counted from its beginning.
  ///
  /// Every reader reads its parts in ascending order, so the first errors of the feed are among the first of each
  /// reader.
  package static func errors(_ logs: [FeedLog], source: String) -> [ClubError] {
    var linesBefore: [Int: Int] = [:]
    var lines = 0
    for (part, count) in logs.flatMap(\.parts).sorted(by: { $0.part < $1.part }) {
      linesBefore[part] = lines
      lines += count
    }
    // Sorting is stable, so that each reader's errors keep their order.
    let problems = logs.flatMap(\.problems).sorted { ($0.part, $0.line) < ($1.part, $1.line) }
    return problems.prefix(FeedLimits.problems).map { problem in
      problem.fault.error(
        at: FeedPlace(
          source: source, line: linesBefore[problem.part, default: 0] + problem.line, activity: problem.activity))
    }
  }

  package static func emptiness(of source: String) -> ClubError {
    .badFeed(
      FeedPlace(source: source, line: 1), field: "", found: "an empty feed",
      expected: "a JSON array of activities, or one activity a line")
  }
}
