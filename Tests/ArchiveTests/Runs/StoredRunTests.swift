// SPDX-License-Identifier: GPL-3.0-or-later
import Archive
import Foundation
import Reporting
import Scenarios
import Testing

@Suite("The list of all runs")
struct StoredRunTests {
  let place: Workplace

  init() throws { place = try Workplace() }

  private func copy(_ name: String, _ change: (RunFolder) throws -> Void) throws {
    let path = "\(place.root)/\(name)"
    try FileManager.default.copyItem(atPath: place.folder.path, toPath: path)
    try change(RunFolder(path))
  }

  private func replace(_ old: String, _ new: String, in name: RunFolder.Name, of folder: RunFolder) throws {
    let text = try TextFile.read(folder.path(name))
    #expect(text.contains(old))
    try AtomicFile.write(text.replacing(old, with: new), to: folder.path(name))
  }

  @Test("is empty where there is no folder, and refused where there is a file")
  func noFolder() throws {
    defer { place.remove() }
    #expect(try RunFolder.all(in: place.root).isEmpty)
    try AtomicFile.write("", to: place.root)
    #expect(throws: ArchiveError.notAFolder(path: place.root)) { try RunFolder.all(in: place.root) }
  }

  @Test("tells good runs from incomplete, damaged and newer ones, and leaves out what is no run")
  func conditions() throws {
    defer { place.remove() }
    try place.run()
    try AtomicFile.write("", to: place.root + "/README")
    try AtomicFile.makeFolder(place.root + "/pictures")
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
    let runs = try RunFolder.all(in: place.root)
    let found = runs.map { run in
      let name = URL(fileURLWithPath: run.folder.path).lastPathComponent
      return "\(name.prefix { $0 != "-" }) \(Self.word(run.condition))"
    }
    #expect(
      found == [
        "a killed", "b newer", "c damaged", "count complete", "d damaged", "e damaged", "f damaged", "g damaged",
        "h complete", "i damaged",
      ])
    #expect(runs.filter { $0.otherVersion != nil }.map(\.summary) == ["complete, by Assay 0.0.1"])
    #expect(runs.allSatisfy { !$0.summary.isEmpty })
    #expect(runs[2].summary.contains("result.json:"))
  }

  private static func word(_ condition: StoredRun.Condition) -> String {
    String("\(condition)".prefix { $0.isLetter })
  }

  @Test("shrinks by a run that is removed")
  func removal() throws {
    defer { place.remove() }
    let run = try place.run()
    try RunFolder(run.folder).remove()
    #expect(try RunFolder.all(in: place.root).isEmpty)
    #expect(!FileManager.default.fileExists(atPath: run.folder))
  }
}
