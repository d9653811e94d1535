// SPDX-License-Identifier: GPL-3.0-or-later
internal import Archive
internal import ArgumentParser
internal import Database
internal import Foundation
internal import Pages
internal import Randomness
internal import Reporting
internal import Scenarios

/// Checks the programs, limits and folders that Assay needs on this machine.
struct Doctor {
  let environment: [String: String]
  /// The folder that results go to.
  let results: String
  let history: String

  /// All findings, in the order of the report.
  var findings: [Finding] {
    [
      .ok("assay", Version.current), machine, memory, swift, gsl, generators, sqlite, converter, chromium,
      resultsFolder, disk, pastRuns,
    ]
  }

  private var machine: Finding {
    let cores = ProcessInfo.processInfo.activeProcessorCount
    let system = ProcessInfo.processInfo.operatingSystemVersionString
    return .ok("machine", "\(NumberFormat.counted(cores, "core")), \(system)")
  }

  private var memory: Finding {
    let found = Self.size(ProcessInfo.processInfo.physicalMemory)
    return ProcessInfo.processInfo.physicalMemory >= 1 << 30
      ? .ok("memory", found)
      : .optional("memory", found, cure: "the exact analyser needs 1 GiB; simulate instead, or use a larger machine")
  }

  /// The toolchain, which only building needs.
  private var swift: Finding {
    guard let said = InstalledProgram.output(of: "swift", ["--version"], environment: environment) else {
      return .optional(
        "swift", "not on PATH", cure: "needed to build only: https://www.swift.org/install/linux/")
    }
    let line = said.split(separator: "\n").first { $0.contains("Swift version") }.map(String.init) ?? said
    return .ok("swift", line.trimmingCharacters(in: .whitespaces))
  }

  private var gsl: Finding { .ok("gsl", GSLLibrary.version) }

  private var generators: Finding {
    let trials = GSLLibrary.trials()
    let wrong = trials.compactMap { name, trial -> String? in
      switch trial {
      case .asKnown, .unknown: nil
      case .differs(let found, let known): "\(name) draws \(found) first, not \(known)"
      case .refused(let error): "\(name): \(error)"
      }
    }
    guard wrong.isEmpty else {
      return .missing(
        "generators", wrong.joined(separator: "; "),
        cure: "results of these cannot be reproduced; install GSL 2.7 or later: apt-get install libgsl-dev")
    }
    let new = trials.filter { $0.trial == .unknown }.map(\.name)
    let remark = new.isEmpty ? "" : "; new in this version: \(new.joined(separator: ", "))"
    return .ok("generators", "all \(trials.count) start and draw the expected numbers\(remark)")
  }

  private var sqlite: Finding {
    do {
      _ = try SQLiteConnection()
      return .ok("sqlite", SQLiteConnection.libraryVersion)
    } catch {
      return .missing("sqlite", "no database opens: \(error)", cure: "apt-get install libsqlite3-dev")
    }
  }

  /// The program that makes PNG pictures.
  private var converter: Finding {
    guard let found = PictureConverter.find(environment: environment) else {
      return .optional(
        PictureConverter.name, "not found: only pictures as PNG need it",
        cure: "apt-get install \(PictureConverter.package)")
    }
    return .ok(PictureConverter.name, found.version)
  }

  /// The browser in which the tests open reports.
  private var chromium: Finding {
    let names = ["chromium", "chromium-browser", "google-chrome"]
    guard let path = names.lazy.compactMap({ InstalledProgram.path(of: $0, environment: environment) }).first else {
      return .optional("chromium", "not found: only the tests of reports need it", cure: "apt-get install chromium")
    }
    return .ok("chromium", path)
  }

  /// The nearest existing folder above the results.
  private var nearestFolder: String {
    var url = URL(fileURLWithPath: results).standardizedFileURL
    while !FileManager.default.fileExists(atPath: url.path), url.path != "/" { url.deleteLastPathComponent() }
    return url.path
  }

  private var resultsFolder: Finding {
    do throws(ReportingError) {
      try AtomicFile.checkFolder(nearestFolder)
      let isThere = FileManager.default.fileExists(atPath: results)
      return .ok("results", isThere ? "'\(results)' can be written" : "'\(results)' will be created")
    } catch {
      return .missing("results", "\(error)", cure: "make it writable, or give runs another place with --runs")
    }
  }

  private var disk: Finding {
    let attributes = try? FileManager.default.attributesOfFileSystem(forPath: nearestFolder)
    guard let free = (attributes?[.systemFreeSize] as? NSNumber)?.uint64Value else {
      return .optional("disk", "free space unknown", cure: "run 'df \(nearestFolder)'")
    }
    return free >= 100 << 20
      ? .ok("disk", "\(Self.size(free)) free")
      : .missing("disk", "\(Self.size(free)) free", cure: "free 100 MiB, or give runs another place with --runs")
  }

  private var pastRuns: Finding {
    guard FileManager.default.fileExists(atPath: history) else { return .ok("history", "'\(history)' will be created") }
    do {
      _ = try History.open(history, for: .reading)
      return .ok("history", "'\(history)' can be read")
    } catch {
      return .missing("history", "\(error)", cure: "name another with --history")
    }
  }

  /// An amount of memory in two or three digits.
  static func size(_ bytes: UInt64) -> String {
    var (value, units) = (Double(bytes), ["B", "KiB", "MiB", "GiB", "TiB"][...])
    while value >= 1024, units.count > 1 { (value, units) = (value / 1024, units.dropFirst()) }
    return NumberFormat.fixed(value, decimals: value < 10 && bytes >= 1024 ? 1 : 0) + " " + (units.first ?? "")
  }
}

struct DoctorReport {
  let findings: [Finding]

  /// The findings about necessary things that are not in order.
  var missing: [Finding] { findings.filter { $0.state == .missing } }

  var verdict: String {
    let optional = findings.count { $0.state == .optional }
    let rest = optional == 0 ? "" : " \(optional) optional \(optional == 1 ? "thing is" : "things are") missing."
    return missing.isEmpty
      ? "Everything needed is available.\(rest)"
      : "To fix: \(missing.map(\.name).joined(separator: ", ")).\(rest)"
  }

  var document: Document {
    let table = Table(
      columns: ["what", "state", "found"], rows: findings.map { [$0.name, $0.state.rawValue, $0.found] })
    let cures = findings.filter { !$0.cure.isEmpty }.map { "To fix \($0.name): \($0.cure)" }
    return Document(
      id: "doctor", title: "This machine",
      [.table(table), .list(cures), .paragraph(verdict)], data: Table(records: rows))
  }

  var json: JSONValue { ["healthy": .bool(missing.isEmpty), "findings": .array(rows)] }

  private var rows: [JSONValue] {
    findings.map { one in
      [
        "name": .string(one.name), "state": .string(one.state.rawValue), "found": .string(one.found),
        "cure": .string(one.cure),
      ]
    }
  }
}

/// The state of something that Assay uses.
struct Finding: Hashable {
  enum State: String {
    case ok
    /// Necessary, and not in order.
    case missing
    /// Not in order, but nothing fails without it.
    case optional
  }

  let name: String
  let state: State
  let found: String
  /// The way to fix it; empty if it is in order.
  let cure: String

  static func ok(_ name: String, _ found: String) -> Finding {
    Finding(name: name, state: .ok, found: found, cure: "")
  }

  static func missing(_ name: String, _ found: String, cure: String) -> Finding {
    Finding(name: name, state: .missing, found: found, cure: cure)
  }

  static func optional(_ name: String, _ found: String, cure: String) -> Finding {
    Finding(name: name, state: .optional, found: found, cure: cure)
  }
}

/// True if this machine has what Assay needs.
struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Checks libraries, versions, generators and folders, and says how to fix what is missing.",
    discussion: """
      Example: assay doctor

      Exits with 1 when something is missing that is needed. Nothing is written or installed.
      """)

  @OptionGroup var folders: RunFoldersOption
  @OptionGroup var past: HistoryOptions
  @OptionGroup var destination: OutputOptions<TableFormats>

  func run() throws {
    let plan = try destination.plan(for: "doctor")
    var echo = CommandLineEcho("doctor")
    folders.add(to: &echo)
    past.add(to: &echo)
    destination.add(to: &echo)
    let doctor = Doctor(
      environment: ProcessInfo.processInfo.environment, results: folders.runs, history: past.history)
    let report = DoctorReport(findings: doctor.findings)
    try plan.write(report.document, json: report.json)
    if !report.missing.isEmpty {
      throw ExitStatus.Conclusion(
        status: .failed, message: report.verdict, isShown: plan.onOutput == .text, reproduction: echo.line)
    }
  }
}
