// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import TestSupport
import Testing

@Suite("A file that a command writes is no other file of the command")
struct SharedFilesTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder(["p.pairs": "on-a on a\n"])
    try folder.write(
      "{\"$type\": \"color\", \"a\": {\"$value\": \"#fff\"}, \"on-a\": {\"$value\": \"#777\"}}", as: "t.tokens.json")
    try folder.write("kind: profile.check\nname: Map\nmap: flat\ndrawing: s.yaml\n", as: "s.yaml")
    try folder.write("kind: profile.check\nname: Map\nmap: flat\ndrawing: both.svg\n", as: "one.yaml")
    try folder.write("kind: profile.check\nname: Map2\nmap: flat\ndrawing: ./both.svg\n", as: "two.yaml")
    for (link, target) in [("link", "p.pairs"), ("here", ".")] {
      try FileManager.default.createSymbolicLink(atPath: folder.path(link), withDestinationPath: target)
    }
  }

  private static let check = "contrast check t.tokens.json --pairs p.pairs --no-history -q"
  private static let edit = "profile edit --samples 10 --events 5 -q"

  @Test(
    "two results to one file are refused before anything runs",
    arguments: [
      (edit + " --no-history --samples-to d.csv -o d.csv", "--output: found 'd.csv', expected another file"),
      (edit + " --no-history --save x.yaml -o x.yaml --format json", "--save"),
      (edit + " --report --history Results/y.csv -o Results/y.csv", "--history"),
      (edit + " --report -o Results/history.sqlite --format json", "--history"),
      (check + " --fix out.json -o out.json", "--fix"),
      (check + " --fix out.json -o here/out.json", "--fix"),
      (check + " -o ./out.json --fix=out.json", "--fix"),
      ("profile check flat --drawing m.svg -o m.svg -q --no-history", "--drawing"),
      ("run one.yaml two.yaml -q --no-history", "one.yaml: drawing"),
    ])
  func twoResults(typed: String, other: String) throws {
    let before = try folder.names()
    let run = try AssayProcess(typed, in: folder.url)
    run.expectRefusal(other)
    #expect(try folder.names() == before, "\(run.remarks)")
  }

  @Test(
    "a result over what the command reads is refused, links followed",
    arguments: [
      check + " --fix p.pairs", check + " --fix t.tokens.json", check + " --fix link", check + " --fix=./p.pairs",
      check + " --fix .", check + " --fix here", check + " -o p.pairs",
      "run s.yaml -q --no-history", "run one.yaml -q --no-history --set drawing=one.yaml",
      "results page --history p.pairs -o p.pairs", "profile check p.pairs -o p.pairs --no-history",
    ])
  func overInput(typed: String) throws {
    let before = try ["p.pairs", "t.tokens.json", "s.yaml", "one.yaml"].map { try folder.text($0) }
    try AssayProcess(typed, in: folder.url).expectRefusal("expected another file: ")
    #expect(try ["p.pairs", "t.tokens.json", "s.yaml", "one.yaml"].map { try folder.text($0) } == before)
  }

  @Test("a result over the file that the standard output or input is redirected to is refused")
  func redirected() throws {
    let program = try AssayProcess.executable().path
    for line in [
      "\(program) \(Self.edit) --no-history -o a.csv > a.csv",
      "\(program) contrast check - --no-history -q --fix t.tokens.json < t.tokens.json",
    ] {
      let run = try AssayProcess.bash(line, in: folder.url)
      #expect(run.status == 2 && run.remarks.contains("expected another file: "), "\(run.remarks)")
    }
    let run = try AssayProcess.bash(
      "\(program) \(Self.edit) --no-history -o /dev/stdout --format csv > a.csv", in: folder.url)
    #expect(try run.status != 2 && folder.text("a.csv").contains("edit.lost"), "\(run.remarks)")
  }

  @Test("files that differ, devices, and one file that is read twice are accepted")
  func accepted() throws {
    for typed in [
      Self.check + " --fix out.json -o out.csv", Self.check + " --fix /dev/null -o /dev/null --format csv",
      Self.edit + " --no-history -o e.csv --samples-to d.csv",
    ] {
      let run = try AssayProcess(typed, in: folder.url)
      #expect(run.status != 2, "\(typed): \(run.remarks)")
    }
    #expect(try AssayProcess("profile merge p.pairs p.pairs link", in: folder.url).status == 0)
  }
}

@Suite("A command that waits for another process can be ended")
struct EndedWaitTests {
  @Test(
    "SIGTERM and Ctrl-C end it while it waits for a pipe's reader or for input",
    .timeLimit(.minutes(15)),
    arguments: [
      "contrast check t.tokens.json --pairs p.pairs --fix f.json --no-history -q --log-level info",
      "contrast check t.tokens.json --pairs p.pairs -o f.json --format csv --no-history -q --log-level info",
      "contrast check t.tokens.json --pairs f.json --no-history --log-level info",
      "contrast check t.tokens.json --pairs - --no-history --log-level info",
      "fantasy calibration - --no-history --log-level info",
    ], [SIGTERM, SIGINT])
  func waits(typed: String, signal: Int32) throws {
    let folder = try TemporaryFolder(["p.pairs": "on-a on a\n"])
    try folder.write(
      "{\"$type\": \"color\", \"a\": {\"$value\": \"#fff\"}, \"on-a\": {\"$value\": \"#777\"}}", as: "t.tokens.json")
    for name in ["f.json", "in"] {
      let code = unsafe mkfifo(folder.path(name), 0o600)
      #expect(code == 0)
    }
    // Open for writing as well, so that a reader waits for what never comes.
    let input = unsafe open(folder.path("in"), O_RDWR)
    defer { close(input) }
    // A quiet command prints nothing by which to know that it waits.
    let isQuiet = typed.contains(" -q ")
    let run = try AssayProcess(
      typed.replacing(" -q ", with: " "), in: folder.url, interruptedBy: isQuiet ? "assay contrast" : "assay ",
      signal: signal, input: folder.url.appendingPathComponent("in"))
    #expect(run.status == (signal == SIGTERM ? 143 : 130), "\(run.remarks)")
  }
}

@Suite("Whole numbers keep all their digits")
struct WholeNumberTests {
  private func output(_ typed: String, _ more: [String] = []) throws -> String {
    let run = try AssayProcess(typed, more)
    #expect(run.status == 0 || run.status == 3, "\(run.remarks)")
    return run.output
  }

  @Test(
    "in a sweep over seeds beyond 2^53",
    arguments: [
      ("9007199254740993..9007199254740995:3", ["9007199254740993", "9007199254740994", "9007199254740995"]),
      ("1..18446744073709551615:3", ["1", "9223372036854775808", "18446744073709551615"]),
      ("log:1..18446744073709551615:2", ["1", "18446744073709551615"]),
      ("9007199254740993,18446744073709551613", ["9007199254740993", "18446744073709551613"]),
    ])
  func sweep(values: String, seeds: [String]) throws {
    let csv = try output("profile edit --samples 4 --events 2 --no-history -q -f csv --sweep seed=\(values)")
    let found = Set(csv.split(separator: "\n").dropFirst().map { $0.split(separator: ",") }.joined().map(String.init))
    #expect(found.isSuperset(of: seeds), "\(csv)")
  }

  @Test("in a search among seeds")
  func search() throws {
    let text = try output(
      "profile edit --samples 4 --events 2 --no-history -q --find seed=9007199254740993..9007199254740999",
      ["--until", "edit.lost <= 0.9 at 0.51"])
    for seed in ["9007199254740993", "9007199254740996", "9007199254740999"] { #expect(text.contains(seed), "\(text)") }
  }
}

@Suite("What is asked of a single sample or of no run")
struct UnaskedTests {
  @Test("a threshold with --only says that one sample decides nothing")
  func only() throws {
    let run = try AssayProcess("profile edit --only 3 --no-history -q --threshold", ["edit.lost <= 0.5 at 0.99"])
    #expect(run.status == 3 && run.output.contains("'only' draws a single sample"), "\(run.output)")
    #expect(!run.output.contains("not interrupted"))
  }
}
