// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Reporting
import Scenarios
import Testing

@testable import Archive

@Suite("A result as a document")
struct ResultDocumentTests {
  private func read(_ text: String) throws -> ResultDocument {
    try ResultDocument(json: JSONValue(parsing: text), file: "result.json")
  }

  private static func fixture() throws -> URL {
    try #require(Bundle.module.url(forResource: "Fixtures/result-1", withExtension: "json"))
  }

  @Test("of this schema can be read")
  func known() throws {
    let document = try ResultDocument(contentsOf: Self.fixture().path)
    #expect(document.version == "0.1.0")
    #expect(document.slug == "every-kind")
    #expect(document.name == "Every kind of measurement, “quoted”")
    #expect(document.kind == "example")
    #expect(document.digest == "0123abcd")
    #expect(document.isComplete)
    #expect(document.verdict == .fails)
    #expect(document.thresholds.map(\.verdict) == [.holds, .undecided, .fails])
    #expect(document.thresholds[0].text == "ev[6d] in -0.0041..-0.0040 at 0.999")
    #expect(document.thresholds[0].source == "Griffin 1999")
    #expect(document.thresholds[0].errorProbability == 0.001)
    #expect(document.thresholds[1].advice == "about 12,000 more samples")
    #expect(
      document.measurements.map(\.value) == [
        .exact(-0.00405), .count(3, undecided: 2), .proportion(successes: 95, trials: 100),
        .mean(1.25, standardDeviation: 0.5, samples: 10_000),
        .interval(-0.004, low: -0.0041, high: -0.0039, confidence: 0.999, samples: 1_000_000),
      ])
    #expect(document.measurements[0].measure.fullName == "ev[6d]")
    #expect(document.measurements[0].measure.unit == "bets")
    #expect(
      document.data == ["seed": .unsigned(.max), "cells": .array([.array([1, 2]), .array([])]), "nothing": .null])
  }

  @Test("reads back as it was written, byte by byte")
  func roundTrip() throws {
    let document = try ResultDocument(contentsOf: Self.fixture().path)
    #expect(document.text == (try TextFile.read(Self.fixture().path)))
    #expect(try read(document.text) == document)
    let partial = ResultDocument(
      slug: "a", name: "b", kind: "c", digest: "d", thresholds: [], measurements: [], data: .null, isComplete: false)
    #expect(try read(partial.text) == partial)
  }

  @Test("may have members that this version does not know")
  func unknownMembers() throws {
    let document = try ResultDocument(contentsOf: Self.fixture().path)
    let text = document.text
      .replacing("\"complete\": true,", with: "\"complete\": true, \"mood\": [\"blue\"],")
      .replacing("\"kind\": \"exact\",", with: "\"kind\": \"exact\", \"colour\": 7,")
    #expect(text.contains("mood") && text.contains("colour"))
    #expect(try read(text) == document)
  }

  @Test(
    "of a newer schema, of something else, or damaged, is refused with the place and the cure",
    arguments: [
      (
        "assay.result/1", "assay.result/2",
        "result.json: schema: found assay.result/2, made by Assay 0.1.0; this is Assay \(Version.current), which knows "
          + "assay.result/1; update it, or choose another folder with --runs."
      ),
      ("assay.result/1", "assay.run/1", "result.json: schema: found assay.run/1, expected assay.result/1."),
      ("assay.result/1", "assay.result/0", "result.json: schema: found assay.result/0, expected assay.result/1."),
      ("\"schema\"", "\"scheme\"", "result.json: schema: found nothing, expected a value."),
      (
        "\"undecided\",", "\"perhaps\",",
        "result.json: thresholds[2].verdict: found 'perhaps', expected one of holds, fails, undecided."
      ),
      ("\"trials\": 100", "\"trials\": -1", "result.json: measurements[3].trials: found -1, expected"),
      ("\"data\"", "\"date\"", "result.json: data: found nothing, expected a value."),
    ])
  func refused(old: String, new: String, message: String) throws {
    let text = try TextFile.read(Self.fixture().path)
    #expect(text.contains(old))
    let error = #expect(throws: ArchiveError.self) { try read(text.replacing(old, with: new)) }
    #expect(error?.description.hasPrefix(message) == true, "\(error?.description ?? "")")
  }

  @Test("with a range without ends, or with ends out of order, is refused", arguments: ["null", "-3", "\"x\""])
  func range(maximum: String) throws {
    let measure = Measure("a", meaning: "", kind: .mean, range: -1...1)
    let document = ResultDocument(
      slug: "a", name: "b", kind: "c", digest: "d", thresholds: [],
      measurements: [Scenarios.Measurement(measure, .mean(0, standardDeviation: 1, samples: 9))], data: .null)
    #expect(try read(document.text) == document)
    for end in ["min", "max"] {
      let text = document.text.replacing(
        "\"\(end)\": \(end == "max" ? "1" : "-1")",
        with: "\"\(end)\": \(end == "max" || maximum != "-3" ? maximum : "3")")
      #expect(text != document.text)
      let error = #expect(throws: ArchiveError.self) { try read(text) }
      #expect(error?.description.contains("measurements[1].") == true, "\(error?.description ?? "")")
    }
  }
}

@Suite("The record of a run")
struct RunRecordTests {
  private let record = RunRecord(
    status: .interrupted, started: Date(timeIntervalSince1970: 1_795_000_000),
    ended: Date(timeIntervalSince1970: 1_795_000_090), wallSeconds: 89.75, cpuSeconds: 170.5, assay: "0.1.0",
    gsl: "2.7.1", command: "assay run 'a b.yaml'", workers: 2, process: 4711,
    machine: .init(host: "büro", system: "Debian GNU/Linux 12", architecture: "x86_64", cores: 2), error: "",
    remarks: ["One.", "Two."], files: ["run.json"])

  private func file(_ text: String) throws -> RunFile {
    let location = try Workplace()
    try AtomicFile.write(text, to: location.path("run.json"))
    return try RunFile(contentsOf: location.path("run.json"))
  }

  @Test("reads back as it was written, with the record of an earlier complete run")
  func roundTrip() throws {
    var complete = record
    complete.status = .complete
    for one in [
      RunFile(latest: record, previous: nil), RunFile(latest: record, previous: complete),
      RunFile(latest: complete, previous: nil),
    ] {
      #expect(try file(one.json.text) == one)
    }
    for build in [
      RunRecord.Build(commit: "0123456789abcdef", isChanged: true, binary: "fedc"), RunRecord.Build(binary: "fedc"),
    ] {
      complete.build = build
      #expect(try file(RunFile(latest: complete, previous: nil).json.text).latest.build == build)
    }
    #expect(RunFile(latest: record, previous: complete).completed == complete)
    #expect(RunFile(latest: record, previous: nil).completed == nil)
  }

  @Test("has its dates in UTC, to the second")
  func dates() {
    let text = RunFile(latest: record, previous: nil).json.text
    #expect(text.contains("\"started\": \"2026-11-18T11:06:40Z\""))
    #expect(text.contains("\"ended\": \"2026-11-18T11:08:10Z\""))
    #expect(text.hasPrefix("{\n  \"schema\": \"assay.run/1\",\n"))
  }

  @Test("of a running run has no end, and may have members of a later version")
  func underWay() throws {
    let started = RunRecord(
      status: .incomplete, started: Date(timeIntervalSince1970: 0), assay: "0.1.0", gsl: "2", command: "assay",
      workers: 1,
      machine: .init(host: "", system: "", architecture: "", cores: 1))
    let text = RunFile(latest: started, previous: nil).json.text
    #expect(text.contains("\"ended\": null"))
    #expect(try file(text.replacing("\"gsl\"", with: "\"moon\": {}, \"gsl\"")).latest == started)
  }

  @Test("of an early version has no build")
  func noBuild() throws {
    let text = RunFile(latest: record, previous: nil).json.text
    let build = try #require(text.firstRange(of: /"build": \{[^}]*\},\s*/))
    #expect(try file(text.replacingCharacters(in: build, with: "")).latest == record)
  }

  @Test("reports the place of damage")
  func damaged() throws {
    let text = RunFile(latest: record, previous: nil).json.text
    for (old, new, message) in [
      ("2026-11-18T11:06:40Z", "yesterday", "started: found 'yesterday', expected a date such as"),
      ("\"interrupted\"", "\"asleep\"", "status: found 'asleep', expected one of incomplete, interrupted, complete"),
      ("\"cores\": 2", "\"cores\": \"two\"", "machine.cores: found 'two', expected a whole number"),
      ("2026-11-18T11:06:40Z", "12026-11-18T11:06:40Z", "a date such as 2026-11-21T12:00:00Z, from 1970 to 9999"),
      ("\"wallSeconds\": 89.75", "\"wallSeconds\": -1", "wallSeconds: found -1, expected a number from 0 on"),
      ("\"workers\": 2", "\"workers\": -2", "workers: found -2, expected a whole number from 0 on"),
      ("\"previous\": null", "\"previous\": 3", "previous: found 3, expected an object"),
    ] {
      #expect(text.contains(old))
      let error = #expect(throws: ArchiveError.self) { try file(text.replacing(old, with: new)) }
      #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
    }
  }
}

@Suite("The list of all runs")
struct StoredRunTests {
  let location: Workplace

  init() throws { location = try Workplace() }

  private func copy(_ name: String, _ change: (RunFolder) throws -> Void) throws {
    let path = "\(location.root)/\(name)"
    try FileManager.default.copyItem(atPath: location.folder.path, toPath: path)
    try change(RunFolder(path))
  }

  private func replace(_ old: String, _ new: String, in name: RunFolder.Name, of folder: RunFolder) throws {
    let text = try TextFile.read(folder.path(name))
    #expect(text.contains(old))
    try AtomicFile.write(text.replacing(old, with: new), to: folder.path(name))
  }

  @Test("is empty without a folder, and refuses a file in its place")
  func noFolder() throws {
    #expect(try RunFolder.all(in: location.root).isEmpty)
    try AtomicFile.write("", to: location.root)
    #expect(throws: ArchiveError.notAFolder(path: location.root)) { try RunFolder.all(in: location.root) }
  }

  @Test("distinguishes complete, incomplete, damaged and newer runs, and ignores other folders")
  func conditions() throws {
    try location.run()
    try AtomicFile.write("", to: location.root + "/README")
    try AtomicFile.makeFolder(location.root + "/pictures")
    try copy("a-killed") { try replace("\"complete\"", "\"incomplete\"", in: .run, of: $0) }
    try copy("b-newer") { try replace("result/1", "result/7", in: .result, of: $0) }
    try copy("c-cut") {
      try AtomicFile.write(String(TextFile.read($0.path(.result)).prefix(500)), to: $0.path(.result))
    }
    try copy("d-empty") { try AtomicFile.write("", to: $0.path(.run)) }
    try copy("e-other") { try replace("assay.result/1", "other.result/1", in: .result, of: $0) }
    try copy("f-no-result") { try FileManager.default.removeItem(atPath: $0.path(.result)) }
    try copy("g-no-run") { try FileManager.default.removeItem(atPath: $0.path(.run)) }
    try copy("h-old") {
      try replace("\"assay\": \"\(Version.current)\"", "\"assay\": \"0.0.1\"", in: .result, of: $0)
    }
    try copy("i-no-date") { try replace("\"started\": \"2", "\"started\": \"x", in: .run, of: $0) }
    let runs = try RunFolder.all(in: location.root)
    let found = runs.map { run in
      let name = URL(fileURLWithPath: run.folder.path).lastPathComponent
      let word = run.summary.prefix { $0.isLetter }.lowercased()
      return "\(name.prefix { $0 != "-" }) \(run.problem?.isAboutNewer == true ? "newer" : word)"
    }
    #expect(
      found == [
        "a incomplete", "b newer", "c damaged", "count complete", "d damaged", "e damaged", "f damaged", "g damaged",
        "h complete", "i damaged",
      ])
    #expect(runs.map(\.summary).filter { $0.hasPrefix("complete,") } == ["complete, by Assay 0.0.1"])
    #expect(runs.allSatisfy { !$0.summary.isEmpty })
    #expect(runs[2].summary.contains("result.json:"))
  }
}

@Suite("docs/results.md lists exactly the members that are written")
struct SchemaArticleTests {
  /// The first column of the table in a part of the article.
  private func documented(in part: String) throws -> Set<String> {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let path = root.appendingPathComponent("docs/results.md").path
    let parts = try TextFile.read(path).components(separatedBy: "\n## ")
    let text = try #require(parts.first { $0.hasPrefix("\(part)\n") })
    return Set(
      text.split(separator: "\n").filter { $0.hasPrefix("| `") }.compactMap { line in
        line.split(separator: "`").dropFirst().first.map(String.init)
      })
  }

  /// The full names of what stands in a document, elements of arrays by `[]`.
  private func members(of value: JSONValue, at path: String = "", until closed: Set<String>) -> Set<String> {
    switch value {
    case .object(let members) where !closed.contains(path):
      return members.reduce(into: []) { names, member in
        let name = path.isEmpty ? member.key : "\(path).\(member.key)"
        names.formUnion(self.members(of: member.value, at: name, until: closed))
      }
    case .array(let values) where values.contains(where: { if case .object = $0 { true } else { false } }):
      return values.reduce(into: []) { $0.formUnion(members(of: $1, at: "\(path)[]", until: closed)) }
    default:
      return [path]
    }
  }

  @Test("result.json: a document with every kind of measurement has the members of the table")
  func result() throws {
    let document = ResultDocument(
      slug: "quick", name: "Quick", kind: "blackjack-chart", digest: "0123abcd",
      thresholds: [HistoryFixture.evaluated(.undecided)], measurements: HistoryFixture.everyForm,
      data: ["cells": ["a": 1]], isComplete: false,
      baseline: ["slug": "quick", "digest": "00c0ffee", "assay": "0.1.0", "started": "2026-11-21T12:00:00Z"])
    #expect(members(of: document.json, until: ["data"]) == (try documented(in: "result.json")))
  }

  @Test("run.json: a record and the record before it have the members of the table")
  func run() throws {
    let machine = RunRecord.Machine(host: "here", system: "Debian", architecture: "x86_64", cores: 2)
    var record = RunRecord(
      status: .complete, started: HistoryFixture.time(0), assay: "0.1.0", gsl: "2.8", command: "assay run", workers: 2,
      machine: machine)
    record.part = "3/64"
    let documented = try documented(in: "run.json")
    #expect(members(of: RunFile(latest: record, previous: nil).json, until: []) == documented)
    #expect(members(of: record.json, until: []) == documented.subtracting(["schema", "previous"]))
  }

  @Test("the folder: the table lists every possible file")
  func folder() throws {
    #expect(try documented(in: "The folder") == Set(RunFolder.Name.allCases.map(\.rawValue)))
  }
}
