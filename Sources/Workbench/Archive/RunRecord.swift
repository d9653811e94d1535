// SPDX-License-Identifier: GPL-3.0-or-later
package import Foundation
package import Reporting

/// A run as in `run.json`: its time, machine and speed, which the scenario does not determine.
package struct RunRecord: Hashable, Sendable {
  package enum Status: String, CaseIterable, Hashable, Sendable {
    /// The run is under way, or was killed.
    case incomplete
    case interrupted
    case complete
    case failed
  }

  package struct Machine: Hashable, Sendable {
    package var host: String
    /// The operating system with its version.
    package var system: String
    /// For example `x86_64`.
    package var architecture: String
    package var cores: Int

    package var json: JSONValue {
      [
        "host": .string(host), "system": .string(system), "architecture": .string(architecture),
        "cores": .integer(cores),
      ]
    }
  }

  /// The code that ran. Unlike `Version`, it distinguishes a core before a change from the same core after it.
  package struct Build: Hashable, Sendable {
    /// The full hash of the commit that the binary was built from; `nil` if that is not certain.
    package var commit: String?
    /// True if the sources had changes that are not in the commit.
    package var isChanged: Bool
    /// The binary's SHA-256; `nil` if unknown.
    package var binary: String?

    package init(commit: String? = nil, isChanged: Bool = false, binary: String? = nil) {
      (self.commit, self.isChanged, self.binary) = (commit, commit != nil && isChanged, binary)
    }

    /// `1a2b3c4d`, or `1a2b3c4d+` with changes; empty if the commit is not known.
    package var commitText: String { commit.map { $0.prefix(8) + (isChanged ? "+" : "") } ?? "" }

    /// The commit, or the first digits of the binary's SHA-256 where it is unknown or has further changes.
    var shortText: String {
      isChanged || commit == nil ? binary.map { String($0.prefix(8)) } ?? "unknown" : commitText
    }

    /// Returns true if both are the same code, by binary or commit; true if neither binary is known.
    func isSameCode(as other: Self) -> Bool {
      binary == other.binary || commit != nil && commit == other.commit && !isChanged && !other.isChanged
    }
  }

  package var status: Status
  /// The start, to the second.
  package var started: Date
  /// The end, to the second; `nil` while it is incomplete.
  package var ended: Date?
  package var wallSeconds: Double?
  /// The processor time in seconds, all workers together.
  package var cpuSeconds: Double?
  package var assay: String
  package var gsl: String
  package var command: String
  package var workers: Int
  package var process = 0
  package var machine: Machine
  package var build = Build()
  /// True if the result depends on the machine's speed, so that the same scenario need not repeat it.
  package var isTimed = false
  /// The part of a run that it played: a shard such as `3/64`, or `merge` for an incomplete merge of shards; `nil` for
  /// a whole run.
  package var part: String?
  /// The error that ended it if it failed; otherwise empty.
  package var error = ""
  /// Remarks for readers of the result, in whole sentences.
  package var remarks: [String] = []
  package var files: [String] = []

  /// The start, host and duration for a suite of test cases.
  package var suiteInfo: JUnitReport.SuiteInfo {
    JUnitReport.SuiteInfo(began: started, host: machine.host, seconds: wallSeconds ?? 0)
  }
}

extension RunRecord {
  /// The record; its dates are in UTC, by ISO 8601.
  package var json: JSONValue { .object(members) }

  var members: [JSONMember] {
    [
      JSONMember("status", .string(status.rawValue)),
      JSONMember("started", .string(Self.text(of: started))),
      JSONMember("ended", ended.map { .string(Self.text(of: $0)) } ?? .null),
      JSONMember("wallSeconds", wallSeconds.map { .number($0) } ?? .null),
      JSONMember("cpuSeconds", cpuSeconds.map { .number($0) } ?? .null),
      JSONMember("assay", .string(assay)),
      JSONMember("gsl", .string(gsl)),
      JSONMember("command", .string(command)),
      JSONMember("workers", .integer(workers)),
      JSONMember("process", .integer(process)),
      JSONMember("machine", machine.json),
      JSONMember("build", build.json),
      JSONMember("timed", .bool(isTimed)),
    ] + (part.map { [JSONMember("part", .string($0))] } ?? []) + [
      JSONMember("error", .string(error)),
      JSONMember("remarks", .array(remarks.map { .string($0) })),
      JSONMember("files", .array(files.map { .string($0) })),
    ]
  }

  /// Reads a record. Members that this version does not know are passed over.
  init(json: JSONField) throws(ReportingError) {
    let status = try json.required("status")
    guard let known = Status(rawValue: try status.string()) else {
      throw status.bad(expected: "one of \(Status.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    let machine = try json.required("machine")
    let build = try json.member("build")
    self.init(
      status: known, started: try Self.date(json.required("started")),
      ended: try json.optional("ended").map(Self.date), wallSeconds: try json.optional("wallSeconds").map(Self.seconds),
      cpuSeconds: try json.optional("cpuSeconds").map(Self.seconds),
      assay: try json.required("assay").string(), gsl: try json.required("gsl").string(),
      command: try json.required("command").string(), workers: try json.required("workers").integer(in: 0...Int.max),
      process: try json.required("process").integer(in: 0...Int.max),
      machine: Machine(
        host: try machine.required("host").string(), system: try machine.required("system").string(),
        architecture: try machine.required("architecture").string(),
        cores: try machine.required("cores").integer(in: 0...Int.max)),
      build: try build.map(Build.init(json:)) ?? Build(), isTimed: try json.member("timed")?.bool() ?? false,
      part: try json.member("part")?.string(),
      error: try json.required("error").string(), remarks: try Self.texts(json.required("remarks")),
      files: try Self.texts(json.required("files")))
  }

  /// A date in UTC by ISO 8601, to the second: `2026-11-21T12:00:00Z`.
  package static func text(of date: Date) -> String { date.formatted(.iso8601) }

  /// Reads a date with a year of four digits, so that dates sort by time as texts.
  private static func date(_ field: JSONField) throws(ReportingError) -> Date {
    guard let date = try? Date(try field.string(), strategy: .iso8601),
      (0..<253_402_300_800).contains(date.timeIntervalSince1970)
    else { throw field.bad(expected: "a date such as 2026-11-21T12:00:00Z, from 1970 to 9999") }
    return date
  }

  private static func seconds(_ field: JSONField) throws(ReportingError) -> Double {
    try field.number(in: 0 ... .infinity)
  }

  private static func texts(_ field: JSONField) throws(ReportingError) -> [String] {
    try field.elements().map { element throws(ReportingError) in try element.string() }
  }
}

extension RunRecord.Build {
  package var json: JSONValue {
    [
      "commit": commit.map { .string($0) } ?? .null, "changed": commit == nil ? .null : .bool(isChanged),
      "binary": binary.map { .string($0) } ?? .null,
    ]
  }

  fileprivate init(json: JSONField) throws(ReportingError) {
    self.init(
      commit: try json.optional("commit")?.string(), isChanged: try json.optional("changed")?.bool() ?? false,
      binary: try json.optional("binary")?.string())
  }
}

/// `run.json`: the latest run in a folder, and the run of the complete result there if that is another.
package struct RunFile: Hashable, Sendable {
  package let latest: RunRecord
  /// The run of `result.json`, if the latest has no result.
  package let previous: RunRecord?

  /// The run of `result.json`; `nil` if no run was completed yet.
  package var completed: RunRecord? { latest.status == .complete ? latest : previous }

  package var json: JSONValue {
    .object(
      [JSONMember("schema", .string(Schema.run.text))] + latest.members + [
        JSONMember("previous", previous.map(\.json) ?? .null)
      ])
  }
}

extension RunFile {
  init(contentsOf path: String) throws(ArchiveError) {
    let document = JSONField(
      try ArchiveError.about(try JSONValue(parsing: TextFile.read(path), file: path)), file: path)
    try Schema.run.check(document)
    latest = try ArchiveError.about(try RunRecord(json: document))
    previous = try ArchiveError.about(try document.optional("previous").map(RunRecord.init(json:)))
  }
}

struct Stopwatch {
  private let start = ContinuousClock.now
  private let used = Self.processorSeconds

  var wallSeconds: Double { (ContinuousClock.now - start) / .seconds(1) }

  /// The processor time in seconds since then of this process, all threads together, and of its child processes that
  /// have ended.
  var cpuSeconds: Double { Self.processorSeconds - used }

  private static var processorSeconds: Double {
    [RUSAGE_SELF.rawValue, RUSAGE_CHILDREN.rawValue].reduce(0) { sum, whom in
      var usage = rusage()
      guard unsafe getrusage(whom, &usage) == 0 else { return sum }
      return sum + seconds(usage.ru_utime) + seconds(usage.ru_stime)
    }
  }

  private static func seconds(_ time: timeval) -> Double {
    Double(time.tv_sec) + Double(time.tv_usec) / 1_000_000
  }
}

extension RunRecord.Machine {
  static var current: Self {
    let process = ProcessInfo.processInfo
    var names = utsname()
    _ = unsafe uname(&names)
    return Self(
      host: process.hostName, system: process.operatingSystemVersionString, architecture: text(names.machine),
      cores: process.activeProcessorCount)
  }

  private static func text<Characters>(_ characters: Characters) -> String {
    unsafe withUnsafeBytes(of: characters) { unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}
