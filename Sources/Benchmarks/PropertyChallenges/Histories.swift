// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
internal import PropertyTesting

/// A recorded history of calls, in one of the two formats of porcupine's test data.
package struct RecordedHistory: Sendable {
  /// The name in the file.
  package let name: String
  /// The number of calls.
  package let count: Int
  /// The verdict of its source; `nil` if the file has none.
  package let isLinearizable: Bool?
  private let decision: @Sendable () -> Bool

  /// Decides whether the history is linearizable.
  package func decide() -> Bool { decision() }

  /// Reads the histories of a file: one Jepsen log of an etcd register in JSON on each line, or a single log of a
  /// key-value store.
  ///
  /// - Throws: `HistoryError` for a line in another format.
  package static func read(_ text: String, name: String) throws -> [RecordedHistory] {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
      .filter { !$1.isEmpty }.map { (number: $0 + 1, text: String($1)) }
    guard let first = lines.first else { throw HistoryError(name: name, line: 1, found: "nothing") }
    if first.text.hasPrefix("{\"") {
      return try lines.compactMap { line in
        guard let log = try? JSONDecoder().decode(RegisterLog.self, from: Data(line.text.utf8)) else {
          throw HistoryError(name: name, line: line.number, found: line.text)
        }
        return try log.events.map { try register(log, $0, name, line.number) }
      }
    }
    return [try keyValueStore(lines, name)]
  }

  // MARK: An etcd register

  private struct RegisterLog: Decodable {
    struct Event: Decodable {
      let (process, type, function, value): (Int, String, String, String)

      init(from decoder: any Decoder) throws {
        var parts = try decoder.unkeyedContainer()
        process = try parts.decode(Int.self)
        type = try parts.decode(String.self)
        function = try parts.decode(String.self)
        value = try parts.decode(String.self)
      }
    }

    let name: String?
    let linearizable: Bool?
    /// `nil` in the line that names the source.
    let events: [Event]?
  }

  private enum RegisterCall: Sendable {
    case read(String)
    case write(String)
    /// `nil` if it is unknown whether the register held the first value.
    case exchange(String, String, held: Bool?)

    func apply(to value: inout String) -> Bool {
      switch self {
      case .read(let read): return read == value
      case .write(let written): value = written
      case .exchange(let expected, let new, let held):
        let holds = value == expected
        if let held, held != holds { return false }
        if holds { value = new }
      }
      return true
    }
  }

  private static func register(
    _ log: RegisterLog, _ events: [RegisterLog.Event], _ file: String, _ line: Int
  ) throws -> RecordedHistory {
    var history = ConcurrentHistory<RegisterCall>()
    var open: [Int: (time: Int, event: RegisterLog.Event)] = [:]
    func add(_ begun: (time: Int, event: RegisterLog.Event), _ end: (time: Int, event: RegisterLog.Event)?) throws {
      let parts = begun.event.value.split { "[ ]".contains($0) }.map(String.init)
      let returned = end.flatMap { $0.event.type == "info" ? nil : $0.time }
      switch (begun.event.function, end?.event.type ?? "info") {
      case ("read", "ok"): history.append(.read(end?.event.value ?? ""), invoked: begun.time, returned: returned)
      case ("write", "ok"), ("write", "info"): history.append(.write(parts[0]), invoked: begun.time, returned: returned)
      case ("cas", let type) where parts.count == 2:
        let held = type == "info" ? nil : type == "ok"
        history.append(.exchange(parts[0], parts[1], held: held), invoked: begun.time, returned: returned)
      // Failed calls and unread values do not constrain the register.
      case ("read", _), ("write", "fail"): break
      default: throw HistoryError(name: file, line: line, found: "\(begun.event.function) \(begun.event.value)")
      }
    }
    for (time, event) in events.enumerated() {
      if event.type == "invoke" {
        open[event.process] = (time, event)
      } else if let begun = open.removeValue(forKey: event.process), begun.event.function == event.function {
        try add(begun, (time, event))
      } else {
        throw HistoryError(
          name: file, line: line, found: "\(event.type) of a call that process \(event.process) did not make")
      }
    }
    for begun in open.values.sorted(by: { $0.time < $1.time }) { try add(begun, nil) }
    let finished = history
    return RecordedHistory(
      name: log.name ?? "\(file):\(line)", count: events.count { $0.type == "invoke" }, isLinearizable: log.linearizable
    ) {
      finished.isLinearizable(from: "nil") { $1.apply(to: &$0) }
    }
  }

  // MARK: A key-value store

  private struct KeyedCall: Sendable {
    let key: String
    let function: String
    let value: [UInt8]
  }

  private static func keyValueStore(_ lines: [(number: Int, text: String)], _ name: String) throws -> RecordedHistory {
    var history = ConcurrentHistory<KeyedCall>()
    var open: [String: Int] = [:]
    var (reads, count): ([String: Set<[UInt8]>], Int) = ([:], 0)
    for (number, text) in lines where !text.hasPrefix(";") {
      let pattern = /\{:process (\d+), :type :(invoke|ok), :f :(get|put|append), :key "(.*?)", :value (?:nil|"(.*)")\}/
      guard let found = try pattern.wholeMatch(in: text)?.output else {
        throw HistoryError(name: name, line: number, found: text)
      }
      let process = String(found.1)
      if found.2 == "invoke" {
        open[process] = number
        count += 1
        continue
      }
      guard let invoked = open.removeValue(forKey: process) else {
        throw HistoryError(name: name, line: number, found: "the end of a call that process \(process) did not make")
      }
      let call = KeyedCall(key: String(found.4), function: String(found.3), value: Array((found.5 ?? "").utf8))
      if call.function == "get" { reads[call.key, default: []].insert(call.value) }
      history.append(call, invoked: invoked, returned: number)
    }
    if let (process, line) = open.min(by: { $0.value < $1.value }) {
      throw HistoryError(name: name, line: line, found: "a call of process \(process) that never ends")
    }
    let verdict = lines[0].text.firstMatch(of: /linearizable: (yes|no)/)?.output.1
    let (parts, values) = (history.partitioned { $0.key }.map { ($0, reads) }, count)
    return RecordedHistory(name: name, count: values, isLinearizable: verdict.map { $0 == "yes" }) {
      parts.allSatisfy { isLinearizable($0.0, $0.1) }
    }
  }

  /// Decides about one key. Values of which no read returned a continuation are represented by a single one.
  private static func isLinearizable(
    _ history: ConcurrentHistory<KeyedCall>, _ reads: [String: Set<[UInt8]>]
  ) -> Bool {
    var known: [[UInt8]: Bool] = [:]
    func seen(_ value: [UInt8], _ key: String) -> [UInt8]? {
      let isSeen = known[value] ?? reads[key, default: []].contains { $0.starts(with: value) }
      known[value] = isSeen
      return isSeen ? value : nil
    }
    return history.isLinearizable(from: [] as [UInt8]?) { value, call in
      switch call.function {
      case "get": return value == call.value
      case "put": value = seen(call.value, call.key)
      default: value = value.flatMap { seen($0 + call.value, call.key) }
      }
      return true
    }
  }
}

/// A line of a history in an unknown format.
package struct HistoryError: Error, Sendable, CustomStringConvertible {
  let name: String
  let line: Int
  let found: String

  /// The file, the line, and the value found.
  package var description: String {
    "\(name):\(line): expected a history as porcupine's test data has them, found \(found.prefix(80))"
  }
}
