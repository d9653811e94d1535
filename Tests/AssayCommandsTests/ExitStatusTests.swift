// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Scenarios
import TestSupport
import Testing

import Workbench

@Suite("Every exit code, by the built executable")
struct ExitStatusTests {
  @Test(
    "0 where all holds, 1 where something fails, 2 for bad input, 3 for what is undecided, 64 for usage",
    arguments: [
      ("run holds.yaml", 0), ("--help", 0), ("run fails.yaml", 1), ("run undecided.yaml fails.yaml", 1),
      ("run no/such/file.yaml", 2), ("run holds.yaml undecided.yaml", 3), ("run --fail-fats", 64),
    ])
  func ends(typed: String, status: Int32) throws {
    let folder = try TemporaryFolder([
      "holds.yaml": ScenarioText.holds, "fails.yaml": ScenarioText.fails, "undecided.yaml": ScenarioText.undecided,
    ])
    #expect(try AssayProcess(typed, in: folder.url).status == status)
  }

  @Test(
    "a search ends with 0 where it has an answer, with 1 where the threshold fails at all values, and else with 3",
    arguments: [("0.1..1", "100", 0), ("0.1..0.2", "100", 0), ("2..3", "100", 1), ("0.36..0.38", "1", 3)])
  func search(range: String, samples: String, status: Int32) throws {
    let process = try AssayProcess(
      "find arrivals=\(range) --no-history --set samples=\(samples) --until", ["rush <= 5% at 0.99"],
      executable: AssayProcess.executable("coffee-example"))
    #expect(process.status == status, "\(process.output)")
  }

  @Test("70: an unexpected error asks for a report, with version and command")
  func internalError() throws {
    let process = try AssayProcess("crash-test", executable: AssayProcess.executable("Specimens"))
    #expect(process.status == 70)
    #expect(process.remarks.contains("This is an error in Assay itself, not in what you typed. Please report it"))
    #expect(process.remarks.contains(#/version: Assay \d+\.\d+\.\d+ on /#))
    #expect(process.remarks.contains("command: assay crash-test\n"))
  }

  @Test("130: interrupted, even if something has already failed")
  func interrupted() throws {
    let folder = try TemporaryFolder(["fails.yaml": ScenarioText.fails, "long.yaml": ScenarioText.long])
    let process = try AssayProcess(
      "run fails.yaml long.yaml", in: folder.url, interruptedBy: "running 2 of 2: A long one")
    #expect(process.status == 130)
    #expect(process.remarks.contains("interrupted: ending with partial results; interrupt again to exit at once"))
    let lines = process.remarks.split(separator: "\n")
    let again = try #require(lines.dropLast().last)
    #expect(again.wholeMatch(of: #/reproduce: assay run fails\.yaml long\.yaml --jobs \d+/#) != nil, "\(again)")
    // How to go on with it stands last, and the folder stood in the line with which the run began.
    let last = try #require(
      lines.last?.firstMatch(of: #/^to continue: assay resume (Results\/runs\/long-[0-9a-f]{8})$/#))
    #expect(lines.contains { $0.hasSuffix("A long one, in \(last.1)") })
  }

  @Test("143: terminated by SIGTERM, with partial results and the command to begin again")
  func terminated() throws {
    let folder = try TemporaryFolder(["holds.yaml": ScenarioText.holds, "long.yaml": ScenarioText.long])
    let process = try AssayProcess(
      "run holds.yaml long.yaml", in: folder.url, interruptedBy: "running 2 of 2: A long one", signal: SIGTERM)
    #expect(process.status == 143)
    #expect(process.output.contains("holds: One that holds") && process.output.contains("INCOMPLETE: "))
    let again = #/\nreproduce: assay run holds\.yaml long\.yaml --jobs \d+\nto continue: /#
    #expect(process.remarks.contains(again), "\(process.remarks)")
  }

  @Test(
    "2: what cannot be written to the standard output, whatever it is",
    arguments: [
      "", "--help", "--version", "live simulate --help", "live simulate lift --sessions 200 --quiet",
      "live storm --clients 100 --quiet", "live storm --clients 100 --quiet --format png",
      "live timeline lift --quiet", "properties list", "properties check live.5 --cases 10 --quiet --store none",
    ])
  func full(typed: String) throws {
    let process = try AssayProcess(
      typed, environment: ["SAP_SHELL": "bash", "SAP_SHELL_VERSION": "5.2"], writingTo: "/dev/full")
    #expect(process.status == 2, "\(typed): \(process.remarks)")
    #expect(
      process.remarks.contains("error: cannot write the standard output: no space left on device;"),
      "\(typed): \(process.remarks)")
  }

  @Test("2: bad input of a scenario, whose folder is complete")
  func fullRun() throws {
    let folder = try TemporaryFolder(["holds.yaml": ScenarioText.holds, "undecided.yaml": ScenarioText.undecided])
    let process = try AssayProcess(
      "run holds.yaml undecided.yaml --history h.sqlite --runs runs --quiet", in: folder.url, writingTo: "/dev/full")
    #expect(process.status == 2)
    #expect(process.remarks.contains("cannot write the standard output: no space left on device"))
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder.url.path)
    #expect(files.count { $0.hasSuffix("/result.json") } == 2)
    let list = try AssayProcess("results list --history h.sqlite --format csv", in: folder.url).output
    #expect(list.contains("holds") && list.contains("undecided"))
  }

  @Test("a closed pipe ends only the output: everything is run and recorded, with the verdict's exit code")
  func closedPipe() throws {
    let folder = try TemporaryFolder(["holds.yaml": ScenarioText.holds, "fails.yaml": ScenarioText.fails])
    let program = try AssayProcess.executable().path
    for end in ["| true", ">&-"] {
      let shell = try AssayProcess.bash(
        "'\(program)' run holds.yaml fails.yaml --history h.sqlite --runs runs --quiet \(end); "
          + "echo ${PIPESTATUS[0]} >&2", in: folder.url)
      #expect(shell.remarks.split(separator: "\n").last == "1", "\(shell.remarks)")
      let list = try AssayProcess("results list --history h.sqlite --format csv", in: folder.url).output
      #expect(list.contains("holds") && list.contains("fails"))
      try FileManager.default.removeItem(at: folder.url.appendingPathComponent("h.sqlite"))
    }
  }

  @Test(
    "2: a limit of the system that leaves too little room, which is named",
    arguments: [("-n 30", "open files"), ("-v 500000", "address space"), ("-s 400", "400 KiB for stacks")])
  func limits(limit: String, named: String) throws {
    let folder = try TemporaryFolder(["holds.yaml": ScenarioText.holds])
    let program = try AssayProcess.executable().path
    let shell = try AssayProcess.bash("ulimit \(limit); exec '\(program)' run holds.yaml --no-history", in: folder.url)
    #expect(shell.status == 2)
    #expect(shell.remarks.contains("cannot start: found ") && shell.remarks.contains(named), "\(shell.remarks)")
  }

  @Test("a deadline after the end changes nothing; an earlier one leaves passing thresholds undecided")
  func limit() {
    #expect(ExitStatus(.holds, isComplete: true) == .holds && ExitStatus(.holds, isComplete: false) == .undecided)
    #expect(ExitStatus(.fails, isComplete: false) == .failed)
  }

  @Test("0: a deadline without thresholds, which says how many samples of how many there are; 3 with a threshold")
  func deadline() throws {
    func ended(_ words: String...) throws -> AssayProcess {
      try AssayProcess(
        "counter --customers 2 --samples 1e9 --deadline 50ms --no-history", words,
        executable: AssayProcess.executable("coffee-example"))
    }
    let run = try ended()
    let text = run.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(run.status == 0 && text.contains("of 1,000,000,000 samples: the run ended before"), "\(run.remarks)")
    #expect(try ended("--versus", "arrivals=0.9").status == 0)
    #expect(try ended("--end", "all", "--threshold", "wait <= 1000min at 0.9").status == 3)
    let narrow = try ended("--half-width", "0.0000001")
    #expect(narrow.status == 3 && narrow.remarks.contains("UNDECIDED: 1 of 1 thresholds: half-width of wait"))
  }

  @Test("0: a threshold on every difference from the best setting, which has none from itself")
  func best() throws {
    let run = try AssayProcess(
      "find-best coffee.counter arrivals=0.9,0.5,0.7 --set samples=16k --set customers=20 --no-history",
      ["--by", "min wait at 0.99", "--threshold", "wait.difference >= 0 at 0.9"],
      executable: AssayProcess.executable("coffee-example"))
    #expect(run.status == 0 && run.output.contains("The best setting is arrivals=0.5"), "\(run.output)\(run.remarks)")
  }

  @Test("2: the best setting of a kind without single samples; the error names the kinds that have them")
  func unpaired() throws {
    let run = try AssayProcess("find-best league.seasons teams=8,10", ["--by", "max strongest.first at 0.9"])
    #expect(run.status == 2 && run.remarks.contains("sample by sample: ") && run.remarks.contains("profile.edit"))
  }

  @Test("2: a read-only folder of an interrupted run, which is resumed by the run's name")
  func continued() throws {
    let folder = try TemporaryFolder(["long.yaml": ScenarioText.long])
    // In a narrower window the verdict stands on two lines.
    func list() throws -> String {
      try AssayProcess("results list", in: folder.url, environment: ["COLUMNS": "200"]).output
    }
    let stopped = try AssayProcess("run long.yaml --max-samples 200k --no-history", in: folder.url)
    #expect(stopped.status == 3)
    #expect(try list().contains("interrupted") && list().contains("assay resume long"))
    let path = try #require(stopped.remarks.split(separator: " ").last?.split(separator: "\n").last)
    let file = folder.url.appendingPathComponent("\(path)/run.json")
    let record = try String(contentsOf: file, encoding: .utf8)
    try Data(record.replacing(#""interrupted""#, with: #""incomplete""#).utf8).write(to: file)
    #expect(try list().contains("killed"))
    let again = try AssayProcess("resume long --max-samples 400k", in: folder.url)
    #expect(again.status == 3 && again.remarks.contains("in \(path)\n"), "\(again.remarks)")
    let listed = try list()
    #expect(listed.contains("undecided, interrupted") && !listed.contains("killed"), "\(listed)\(again.remarks)")
    try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: "\(folder.url.path)/\(path)")
    let refused = try AssayProcess("resume long", in: folder.url)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: "\(folder.url.path)/\(path)")
    #expect(refused.status == 2 && refused.remarks.contains("is read-only"), "\(refused.remarks)")
  }

  @Test("2: a file larger than the system allows, with its name")
  func tooLarge() throws {
    let folder = try TemporaryFolder()
    let process = try AssayProcess(
      "-c", ["ulimit -f 0; exec \"$0\" scenario kinds --output kinds.csv", AssayProcess.executable().path],
      in: folder.url, executable: URL(fileURLWithPath: "/bin/sh"))
    #expect(process.status == 2)
    #expect(
      process.remarks.contains("error: cannot write 'kinds.csv': file too large; choose another place.\n"),
      "\(process.remarks)")
    #expect(try folder.names() == [])
  }
}

@Suite("Errors about input")
struct DeclaredErrorTests {
  /// Errors that no command throws: they are for tests, or caught where they arise.
  private static let inner: Set = [
    "Abandoned", "AddressError", "CheckpointError", "Conclusion", "Discard", "EditQueueError", "Failure",
    "FantasyProblem", "HTTPHeadError", "HandshakeFailure", "HistoryError", "HistoryProblem", "HostError",
    "Interruption", "InvalidField", "JSONFault", "ParameterError", "Preemption", "ProtocolViolation", "Rejection",
    "SQLiteError", "SimulationEnded", "SimulationError", "TransportError", "VirtualTimeError",
  ]

  private static let sources = packageRoot.appendingPathComponent("Sources")

  @Test("every error type that a module exports is bad input, so that none is reported as a defect of Assay")
  func declared() throws {
    let files = try FileManager.default.subpathsOfDirectory(atPath: Self.sources.path)
    let texts = try files.filter { $0.hasSuffix(".swift") }.map {
      try String(contentsOf: Self.sources.appendingPathComponent($0), encoding: .utf8)
    }
    let declared = Set(
      texts.flatMap { $0.matches(of: /(?:public|package) (?:enum|struct) (\w+): [^{]*Error\b/) }.map { String($0.1) })
    let conforming = Set(texts.flatMap { $0.matches(of: /(\w+): (?:@retroactive )?InputError\b/) }.map { String($0.1) })
    #expect(declared.isSuperset(of: ["ReportingError", "ArchiveError", "BlackjackError", "DamagedExample"]))
    #expect(
      declared.subtracting(Self.inner).subtracting(conforming).sorted() == [], "these do not conform to InputError")
    #expect(Self.inner.isSubset(of: declared), "what is exempt is declared")
  }
}
