// SPDX-License-Identifier: Apache-2.0
package import Foundation
internal import Synchronization

/// The finished work of a run, stored in a file, so that the run can continue after its process ended.
///
/// A run is a deterministic program over sections: the calls of `BlockRunner`, in their order. The program sees only
/// the sums of blocks, so a restarted run with the known sums makes the same decisions and then plays the missing
/// blocks.
///
/// The file has a header and then records, one line each, with its checksum. A damaged line is ignored, and its blocks
/// are played again. Records are written every second, later at every 256th of the run's duration so far, and never so
/// often that writing takes more than a hundredth of the time.
public final class Checkpoint: Sendable {
  /// The sum of consecutive blocks of one section.
  package struct Record: Hashable, Sendable {
    package let section: Int
    package let blocks: Range<Int>
    let tally: Data

    /// Returns true if both are the same blocks with the same results. Two processes may write the entries of a
    /// dictionary or of a set in another order.
    package func isSame(as other: Record) -> Bool {
      self == other
        || section == other.section && blocks == other.blocks
          && Self.sorted(tally).map { $0 == Self.sorted(other.tally) } ?? false
    }

    /// A text of the tally in which the elements of every list are sorted; `nil` if it is none.
    private static func sorted(_ tally: Data) -> String? {
      func text(_ value: Any) -> String {
        switch value {
        case let list as [Any]: "[\(list.map(text).sorted().joined(separator: ","))]"
        case let object as [String: Any]: "{\(object.map { "\($0):\(text($1))" }.sorted().joined(separator: ","))}"
        default: "\(value)"
        }
      }
      return (try? JSONSerialization.jsonObject(with: tally, options: .fragmentsAllowed)).map(text)
    }
  }

  /// The share of the missing blocks that this process plays, of the first unfinished section.
  package enum Share: Hashable, Sendable {
    /// All missing blocks of all sections.
    case all
    /// Part `number` of `count` parts of about the same size, from 1.
    case part(number: Int, count: Int)
    case none

    /// Returns true if other processes play a part of these blocks.
    package func isShared(_ blocks: Range<Int>) -> Bool {
      if case .part(_, let count) = self { count > 1 && blocks.count > 1 } else { false }
    }

    /// The blocks that this process plays. A single block is played by every part: the results are the same, and all
    /// parts go on with the next section together.
    package func of(_ blocks: Range<Int>) -> Range<Int> {
      switch self {
      case .all: return blocks
      case .none: return blocks.lowerBound..<blocks.lowerBound
      case .part(let number, let count):
        guard isShared(blocks) else { return blocks }
        func bound(_ part: Int) -> Int {
          let (size, odd) = blocks.count.quotientAndRemainder(dividingBy: count)
          return blocks.lowerBound + size * part + min(part, odd)
        }
        return bound(number - 1)..<bound(number)
      }
    }

    /// The number of the part, of `count`, that plays a block: the inverse of `of`.
    package static func part(playing block: Int, of blocks: Range<Int>, count: Int) -> Int {
      let (size, odd) = blocks.count.quotientAndRemainder(dividingBy: count)
      let position = block - blocks.lowerBound
      return (position < odd * (size + 1) ? position / (size + 1) : odd + (position - odd * (size + 1)) / max(1, size))
        + 1
    }
  }

  /// A section that ended with missing blocks.
  package struct OpenSection: Hashable, Sendable {
    package let number: Int
    package let blocks: Range<Int>
    package let missing: [Range<Int>]
  }

  private struct State {
    var file: Int32
    /// The length in bytes that was written completely.
    var length: Int
    var sections = 0
    var open: OpenSection?
    var pending: [Pending] = []
    var synchronised = ContinuousClock.now
    /// The error code after which nothing more is written.
    var failure: Int32?
  }

  private struct Pending {
    let section: Int
    let blocks: Range<Int>
    let encode: @Sendable () throws -> Data
  }

  package let path: String
  package let share: Share
  private let known: [Int: [Record]]
  private let interval: Duration
  private let begun = ContinuousClock.now
  /// The time of the next write, in nanoseconds since the beginning.
  private let due: Atomic<Int64>
  private let state: Mutex<State>

  /// Creates the file with the records of an earlier one, replacing any file at the path.
  ///
  /// - Throws: `CheckpointError.unwritable`; an existing file is then unchanged.
  package init(
    _ path: String, header: Data, records: [Record] = [], share: Share = .all, interval: Duration = .seconds(1)
  ) throws(CheckpointError) {
    (self.path, self.share, self.interval) = (path, share, interval)
    known = Dictionary(grouping: records, by: \.section).mapValues { $0.sorted { $0.blocks.isBefore($1.blocks) } }
    var bytes = Self.line(header)
    for record in records { bytes += Self.line(record.text) }
    var file: Int32 = -1
    var code: Int32
    do throws(POSIXError) {
      var pending = try PendingFile(for: path)
      code = PendingFile.write(bytes, into: pending.descriptor)
      // The same open file, which later records are appended to.
      file = fcntl(pending.descriptor, F_DUPFD_CLOEXEC, 0)
      if code == 0 { code = file < 0 ? errno : pending.keep() }
    } catch {
      code = error.code.rawValue
    }
    guard code == 0 else {
      if file >= 0 { close(file) }
      throw .unwritable(path: path, code: code)
    }
    due = Atomic(Self.nanoseconds(interval))
    state = Mutex(State(file: file, length: bytes.count))
  }

  deinit { state.withLock { _ = close($0.file) } }

  /// The content of a file: its header and the records of all undamaged lines.
  package struct Content: Sendable {
    package let header: Data
    package let records: [Record]
    /// The number of damaged lines.
    package let damagedLines: Int

    /// The largest size accepted: files hold sums of blocks, not samples, and stay far below it.
    private static let maxBytes = 1 << 30

    /// - Throws: `CheckpointError.unreadable`, and `.damaged` if the header is damaged.
    package init(of path: String) throws(CheckpointError) {
      let data: Data
      do {
        let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        defer { try? file.close() }
        data = try file.read(upToCount: Self.maxBytes + 1) ?? Data()
      } catch {
        throw .unreadable(path: path)
      }
      var lines = data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)[...]
      // After the last line end there is nothing, or a truncated line.
      let isCutOff = lines.popLast()?.isEmpty == false
      guard data.count <= Self.maxBytes, let header = lines.popFirst().flatMap(Checkpoint.text) else {
        throw .damaged(path: path)
      }
      let records = lines.compactMap { Checkpoint.text(of: $0).flatMap(Record.init) }
      (self.header, self.records) = (header, records)
      damagedLines = lines.count - records.count + (isCutOff ? 1 : 0)
    }
  }

  /// The section that ended with missing blocks, if any.
  package var open: OpenSection? { state.withLock { $0.open } }

  /// True if the run has reached a section.
  package var hasSections: Bool { state.withLock { $0.sections > 0 } }

  /// The error code of a failed write; 0 if the file is up to date.
  package var failure: Int32 { state.withLock { $0.failure ?? 0 } }

  /// Writes all finished work, and waits until it is on the disk.
  package func finish() { flush(synchronising: true) }

  package func remove() {
    _ = unsafe unlink(path)
    PendingFile.synchroniseFolder(of: path)
  }
}

package enum CheckpointError: Error, Hashable, Sendable {
  case unwritable(path: String, code: Int32)
  case unreadable(path: String)
  /// The header is damaged.
  case damaged(path: String)
}

// MARK: Sections

/// The sum of consecutive blocks.
struct TalliedBlocks<Tally: Sendable>: Sendable {
  let blocks: Range<Int>
  let tally: Tally
}

extension Checkpoint {
  /// Begins a part of the run, whose sections are numbered from 0 again, so that the numbers do not depend on the
  /// sections that were played in earlier parts.
  package func begin(part: Int) { state.withLock { $0.sections = part << Self.partBits } }

  private static let partBits = 32

  /// Returns true if two sections belong to the same part of the run.
  package static func isSamePart(_ section: Int, _ other: Int) -> Bool { section >> partBits == other >> partBits }

  /// The displayed number of a section, from 1.
  package static func words(ofSection number: Int) -> String {
    let (part, section) = (number >> partBits, number & (1 << partBits - 1))
    return "section \(section + 1)" + (part > 0 ? " of part \(part + 1)" : "")
  }

  /// The number of the next section.
  func begin() -> Int {
    state.withLock { state in
      state.sections += 1
      return state.sections - 1
    }
  }

  /// The known parts of a section, in order and without overlaps. A checksum does not prove that this program wrote a
  /// line, so only tallies in the form of the empty one are returned, with numbers whose sum cannot overflow.
  func parts<Tally: MergeableTally>(of section: Int, in blocks: Range<Int>, like empty: Tally) -> [TalliedBlocks<Tally>]
  {
    guard let records = known[section] else { return [] }
    var parts: [TalliedBlocks<Tally>] = []
    let form = TallyForm(of: empty)
    var weight = 0
    for record in records {
      let end = parts.last?.blocks.upperBound ?? blocks.lowerBound
      guard record.blocks.lowerBound >= end, record.blocks.upperBound <= blocks.upperBound,
        let own = form.weight(of: record.tally), own <= TallyForm.maximum - weight,
        let tally = try? JSONDecoder.exact.decode(Tally.self, from: record.tally)
      else { continue }
      weight += own
      parts.append(TalliedBlocks(blocks: record.blocks, tally: tally))
    }
    return parts
  }

  /// Returns true if the caller must write the finished work; true for one thread at a time.
  func takeTurn() -> Bool {
    let moment = due.load(ordering: .relaxed)
    guard Self.nanoseconds(ContinuousClock.now - begun) >= moment else { return false }
    return due.compareExchange(expected: moment, desired: .max, ordering: .relaxed).exchanged
  }

  private static func nanoseconds(_ duration: Duration) -> Int64 { Int64(duration / .nanoseconds(1)) }

  func keep<Tally: MergeableTally>(_ tally: Tally, of blocks: Range<Int>, in section: Int) {
    guard !blocks.isEmpty else { return }
    state.withLock { state in
      guard state.failure == nil else { return }
      state.pending.append(
        Pending(section: section, blocks: blocks) { try JSONEncoder.exact.encode(tally) })
    }
  }

  /// Records a section that ends with missing blocks; only the first one counts.
  func leave(_ section: Int, _ blocks: Range<Int>, known: [Range<Int>]) {
    var (missing, next) = ([Range<Int>](), blocks.lowerBound)
    for part in known + [blocks.upperBound..<blocks.upperBound] {
      if part.lowerBound > next { missing.append(next..<part.lowerBound) }
      next = max(next, part.upperBound)
    }
    state.withLock { state in
      if state.open == nil { state.open = OpenSection(number: section, blocks: blocks, missing: missing) }
    }
  }

  /// Appends the finished work to the file.
  func flush(synchronising: Bool = false) {
    state.withLock { state in
      guard state.failure == nil else { return }
      let start = ContinuousClock.now
      var bytes = Data()
      for one in state.pending {
        // Work that cannot be encoded is played again.
        guard let tally = try? one.encode() else { continue }
        bytes += Self.line(Record(section: one.section, blocks: one.blocks, tally: tally).text)
      }
      state.pending = []
      var code = PendingFile.write(bytes, into: state.file)
      if code == 0 {
        state.length += bytes.count
        if synchronising || start - state.synchronised >= Self.synchronisation {
          if fdatasync(state.file) != 0, errno != EINVAL { code = errno }
          state.synchronised = start
        }
      }
      if code != 0 {
        // A truncated record would be ignored, but another file may need its space.
        ftruncate(state.file, off_t(state.length))
        state.failure = code
      }
      let now = ContinuousClock.now
      let pause = max((now - start) * 100, (now - begun) / 256, interval)
      due.store(Self.nanoseconds(now - begun + (interval > .zero ? pause : .zero)), ordering: .relaxed)
    }
  }

  private static let synchronisation = Duration.seconds(5)
}

// MARK: Bytes

extension Checkpoint.Record {
  fileprivate var text: Data { Data("\(section) \(blocks.lowerBound) \(blocks.upperBound) ".utf8) + tally }

  fileprivate init?(text: Data) {
    let words = text.split(separator: UInt8(ascii: " "), maxSplits: 3, omittingEmptySubsequences: false)
    let numbers = words.prefix(3).compactMap { Int(String(decoding: $0, as: UTF8.self)) }
    guard words.count == 4, numbers.count == 3, numbers[0] >= 0, numbers[1] >= 0, numbers[1] < numbers[2] else {
      return nil
    }
    (section, blocks, tally) = (numbers[0], numbers[1]..<numbers[2], Data(words[3]))
  }
}

/// The required form of a tally: its lists are as long as in the empty tally, as merging requires, and its integers so
/// small that their sum cannot overflow.
private struct TallyForm {
  /// The largest sum of the magnitudes of all integers of a section.
  static let maximum = 1 << 62

  private let empty: Any?

  init(of empty: some MergeableTally) {
    self.empty = (try? JSONEncoder.exact.encode(empty)).flatMap(Self.value)
  }

  /// The sum of the magnitudes of a tally's integers; `nil` if it overflows, or the tally has another form.
  func weight(of tally: Data) -> Int? {
    guard let empty, let value = Self.value(of: tally), Self.fits(value, empty) else { return nil }
    return Self.weight(of: value)
  }

  private static func weight(of value: Any) -> Int? {
    switch value {
    case let list as [Any]: sum(list.map(weight))
    case let object as [String: Any]: sum(object.values.map(weight))
    case let number as NSNumber:
      // Numbers that are not integers do not count.
      Int(exactly: number).map { Int(exactly: $0.magnitude) } ?? 0
    default: 0
    }
  }

  private static func sum(_ weights: [Int?]) -> Int? {
    weights.reduce(0) { sum, one in
      sum.flatMap { sum in one.flatMap { $0 <= maximum - sum ? sum + $0 : nil } }
    }
  }

  private static func value(of text: Data) -> Any? {
    try? JSONSerialization.jsonObject(with: text, options: .fragmentsAllowed)
  }

  private static func fits(_ value: Any, _ empty: Any) -> Bool {
    switch (value, empty) {
    case (let value as [Any], let empty as [Any]):
      // A list that is empty in the empty tally may grow.
      return empty.isEmpty || value.count == empty.count && zip(value, empty).allSatisfy(fits)
    case (let value as [String: Any], let empty as [String: Any]):
      return empty.allSatisfy { key, part in value[key].map { fits($0, part) } ?? true }
    default: return true
    }
  }
}

extension Checkpoint {
  private static func line(_ text: Data) -> Data {
    Data((String(fnv1a(text), radix: 16) + " ").utf8) + text + [UInt8(ascii: "\n")]
  }

  /// A line without its checksum; `nil` for a damaged line.
  private static func text(of line: Data) -> Data? {
    guard let space = line.firstIndex(of: UInt8(ascii: " ")) else { return nil }
    let text = Data(line[line.index(after: space)...])
    return String(decoding: line[..<space], as: UTF8.self) == String(fnv1a(text), radix: 16) ? text : nil
  }
}

/// A checksum against damage, not against forgery: 64-bit FNV-1a. Source: Fowler, Noll, Vo; RFC 9923.
package func fnv1a(_ bytes: some Sequence<UInt8>) -> UInt64 {
  bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
}

extension JSONEncoder {
  /// An encoder with reproducible bytes that preserves every number, including infinities and NaN.
  package static var exact: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return encoder
  }
}

extension JSONDecoder {
  /// A decoder for the output of `JSONEncoder.exact`.
  package static var exact: JSONDecoder {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return decoder
  }
}

extension Range<Int> {
  fileprivate func isBefore(_ other: Self) -> Bool {
    (lowerBound, upperBound) < (other.lowerBound, other.upperBound)
  }
}
