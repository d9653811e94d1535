// SPDX-License-Identifier: GPL-3.0-or-later
import Archive
import Foundation
import Reporting
import Scenarios
import Testing

@Suite("A run of a scenario that was run before")
struct RepeatedRunTests {
  let place: Workplace

  init() throws { place = try Workplace() }

  @Test("says nothing when it gives the same result")
  func same() throws {
    defer { place.remove() }
    try place.run()
    let before = try place.read(.result)
    let again = try place.run()
    #expect(try place.read(.result) == before)
    #expect(again.remarks.allSatisfy { $0.contains("gnuplot") })
    #expect(try place.contents().keys.allSatisfy { !$0.contains("earlier") })
  }

  @Test("says loudly that another result by the same version is not reproducible, and keeps every one")
  func notReproducible() throws {
    defer { place.remove() }
    try place.run()
    let before = try place.read(.result)
    let again = try place.run(Workplace.yaml, .init(drift: 1))
    #expect(again.remarks[0].hasPrefix("NOT REPRODUCIBLE: "))
    #expect(try place.read(.report).contains("NOT REPRODUCIBLE: "))
    #expect(try RunFile(contentsOf: "\(again.folder)/run.json").latest.remarks == again.remarks)
    let between = try place.read(.result)
    #expect(between != before)
    try place.run(Workplace.yaml, .init(drift: 2))
    let contents = try place.contents()
    #expect(contents["result.earlier.json"] == before)
    #expect(contents["result.earlier-2.json"] == between)
  }

  @Test("replaces the same result of another version, and keeps another result of another version")
  func otherVersion() throws {
    defer { place.remove() }
    try place.run()
    let ours = try place.read(.result)
    let theirs = ours.replacing("\"assay\": \"\(Version.current)\"", with: "\"assay\": \"0.0.9\"")
    #expect(theirs != ours)
    try place.write(theirs, .result)
    let again = try place.run()
    #expect(again.remarks.allSatisfy { !$0.contains("another result") })
    #expect(try place.read(.result) == ours)
    try place.write(theirs, .result)
    let other = try place.run(Workplace.yaml, .init(drift: 1))
    #expect(other.remarks[0] == "Assay 0.0.9 gave another result, which was kept as result.earlier.json.")
    #expect(try place.contents()["result.earlier.json"] == theirs)
  }

  @Test("keeps damaged files under another name")
  func damaged() throws {
    defer { place.remove() }
    try place.run()
    try place.write("{", .result)
    try place.write("[", .run)
    let again = try place.run()
    #expect(again.remarks[0].contains("damaged; it was kept as result.damaged.json"))
    let contents = try place.contents()
    #expect(contents["result.damaged.json"] == "{")
    #expect(contents["run.damaged.json"] == "[")
    #expect(StoredRun(RunFolder(again.folder)).condition == .complete)
  }

  @Test("removes the further files that it no longer writes, and only those")
  func furtherFiles() throws {
    defer { place.remove() }
    try place.run(Workplace.yaml, .init(files: [.init(name: "old.csv", content: "old")]))
    try AtomicFile.write("mine", to: place.folder.path + "/notes.txt")
    try AtomicFile.write("mine", to: place.path("notes.txt"))
    let record = try place.read(.run)
    try place.write(record.replacing("\"old.csv\"", with: "\"old.csv\", \"../../notes.txt\""), .run)
    try place.run()
    let names = try place.contents().keys
    #expect(!names.contains("old.csv"))
    #expect(names.contains("counts.csv"))
    #expect(names.contains("notes.txt"))
    #expect(FileManager.default.fileExists(atPath: place.path("notes.txt")))
  }
}
