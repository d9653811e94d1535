// SPDX-License-Identifier: GPL-3.0-or-later
internal import CZlib
internal import Foundation
internal import MonteCarlo
internal import Reporting
internal import Synchronization

/// A file with a row for each sample, in their order, for other tools to read: comma-separated values or JSON Lines,
/// compressed where its name ends in `.gz`. It appears as a whole or not at all, with the same bytes at any number of
/// workers.
final class SampleFile: Sendable {
  /// A column of numbers, or of yes and no.
  typealias Column = (name: String, isShare: Bool)

  @safe
  private struct Writing: ~Copyable {
    var target: PendingFile
    let stream: gzFile
    /// Drawn blocks that wait for earlier ones.
    var waiting: [Int: String] = [:]
    var next = 0
    /// Blocks that workers are drawing.
    var inHand: Set<Int> = []
    var isOpen = true

    init(_ path: String, isCompressed: Bool) throws(ReportingError) {
      let target = try AtomicFile.pending(path)
      // The mode T of zlib writes without compression; its headers have no time and no name.
      guard let stream = unsafe gzdopen(dup(target.descriptor), isCompressed ? "wb6" : "wbT") else {
        throw .unwritable(path: path, cause: SystemCause.message(of: ENOMEM), cure: "free some memory")
      }
      self.target = target
      unsafe self.stream = stream
      unsafe gzbuffer(stream, 1 << 17)
    }

    deinit { if isOpen { unsafe gzclose(stream) } }

    func put(_ text: String) -> Int32 {
      var text = text
      return text.withUTF8 { bytes in
        unsafe bytes.isEmpty || gzwrite(stream, bytes.baseAddress, UInt32(bytes.count)) > 0 ? 0 : errno
      }
    }

    mutating func close() -> Int32 {
      isOpen = false
      return unsafe gzclose(stream) == Z_OK ? 0 : errno
    }
  }

  private let path: String
  private let columns: [Column]
  private let isTable: Bool
  private let writing: Mutex<Writing>
  private let moved = NSCondition()

  /// The most blocks that may wait for a slow earlier one.
  static let maxWaiting = 256

  /// Creates the file.
  ///
  /// - Throws: `ReportingError.unwritable`.
  init(_ path: String, columns: [Column]) throws(ReportingError) {
    (self.path, self.columns) = (path, columns)
    let isCompressed = path.hasSuffix(".gz")
    isTable = path.hasSuffix(".csv") || path.hasSuffix(".csv.gz")
    writing = Mutex(try Writing(path, isCompressed: isCompressed))
    let head = isTable ? CSV.line(["sample"] + columns.map(\.name)) : ""
    try check(writing.withLock { $0.put(head) })
  }

  /// Begins a block, once it is no more than `maxWaiting` ahead of the one that the file needs next. It waits only
  /// while another worker draws that block, which itself waits for none, and at most until `isStopped`. `drop` must
  /// follow.
  func take(_ block: Int, unless isStopped: () -> Bool) {
    func isAhead() -> Bool {
      writing.withLock { $0.next < block - Self.maxWaiting && $0.inHand.contains($0.next) }
    }
    while isAhead(), !isStopped() {
      moved.withLock { if isAhead() { _ = moved.wait(until: Date(timeIntervalSinceNow: 0.1)) } }
    }
    _ = writing.withLock { $0.inHand.insert(block) }
  }

  /// Ends a block, whether its rows were added or not.
  func drop(_ block: Int) {
    _ = writing.withLock { $0.inHand.remove(block) }
    moved.withLock { moved.broadcast() }
  }

  /// The number of blocks that wait for an earlier one.
  var waiting: Int { writing.withLock { $0.waiting.count } }

  /// Adds a block's rows, one after the other, numbered from `first`, and writes all rows that are next in order.
  ///
  /// - Throws: `ReportingError.unwritable`, for example if the disk is full.
  func add(_ rows: [Double], of block: Int, from first: Int) throws(ReportingError) {
    var text = ""
    for row in 0..<rows.count / max(1, columns.count) {
      text += isTable ? "\(first + row)" : "{\"sample\":\(first + row)"
      for (column, value) in zip(columns, rows[row * columns.count..<(row + 1) * columns.count]) {
        text += isTable ? "," : ",\"\(column.name)\":"
        text += column.isShare ? (value == 1 ? "true" : "false") : NumberFormat.shortest(value)
      }
      text += isTable ? "\n" : "}\n"
    }
    let code = writing.withLock { writing in
      writing.waiting[block] = text
      while let text = writing.waiting.removeValue(forKey: writing.next) {
        writing.next += 1
        let code = writing.put(text)
        guard code == 0 else { return code }
      }
      return 0
    }
    try check(code)
  }

  /// Renames the file to its path, with the rows of all blocks before the first missing one.
  ///
  /// - Throws: `ReportingError.unwritable`.
  func keep() throws(ReportingError) {
    try check(
      writing.withLock { writing in
        let code = writing.close()
        return code == 0 ? writing.target.keep() : code
      })
  }

  private func check(_ code: Int32) throws(ReportingError) {
    guard code == 0 else {
      throw .unwritable(path: path, cause: SystemCause.message(of: code), cure: "choose another place")
    }
  }
}
