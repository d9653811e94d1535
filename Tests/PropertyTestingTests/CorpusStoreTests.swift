// SPDX-License-Identifier: Apache-2.0
import CCoverage
import Foundation
@testable import PropertyTesting
import TestSupport
import Testing

@Suite("The corpus of a guided search")
struct CorpusStoreTests {
  private static let property = Property("lists.1", "Numbers are small", Gen<[UInt8]>.bytes(count: 0...9)) { _ in }

  private static func sequences(_ count: Int) throws -> [ChoiceSequence] {
    var draws = ChoiceSource(seed: 7)
    return (0..<count).map { _ in
      draws.begin()
      _ = property.trial.attempt(&draws) { _ in true }
      return ReplayToken(property: "lists.1", choices: draws.choices).choices
    }
  }

  @Test("is read back as it was written, in one file a property")
  func roundTrip() throws {
    let folder = try TemporaryFolder()
    let store = CorpusStore(folder: folder.path)
    #expect(store.contents(of: "lists.1") == CorpusStore.Contents())
    let sequences = try Self.sequences(12)
    #expect(store.save(sequences, campaigns: 3, of: Self.property).isEmpty)
    let contents = store.contents(of: "lists.1")
    #expect(
      contents.sequences == sequences && contents.campaigns == 3 && contents.warnings.isEmpty && contents.isWritable)
    #expect(try folder.names(in: "") == ["lists.1.txt"])
    #expect(CorpusStore(folder: folder.path + "/").contents(of: "lists.1") == contents)
  }

  @Test(
    "that is no corpus of this version is named, not used and not overwritten",
    arguments: [
      ("", "lists.1.txt: no heading in the file; delete it."),
      ("corpus version 2, 4 campaigns\n", "lists.1.txt:1: found '2', expected version 1"),
      ("# yes\ncorpse\n", "lists.1.txt:2: found 'corpse', expected 'corpus version 1, 0 campaigns'"),
      ("corpus version 1, 99999999999999999999 campaigns", "found '99999999999999999999', expected 0 to 1000000000"),
      ("corpus version 1, -1 campaigns", "found '-1', expected 0 to 1000000000 campaigns"),
      ("corpus version 1, 1 campaigns\u{FF}", "found 'corpus version 1, 1 campaigns"),
    ])
  func unusable(text: String, problem: String) throws {
    let folder = try TemporaryFolder()
    try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path + "/lists.1.txt"))
    let contents = CorpusStore(folder: folder.path).contents(of: "lists.1")
    #expect(contents.sequences.isEmpty && !contents.isWritable)
    #expect(contents.warnings.count == 1 && contents.warnings[0].contains(problem), "\(contents.warnings)")
    #expect(contents.warnings[0].hasSuffix("The search goes on without it, and stores none."))
  }

  @Test("loses damaged lines only", arguments: 0..<60)
  func damaged(seed: UInt64) throws {
    let folder = try TemporaryFolder()
    let (store, path) = (CorpusStore(folder: folder.path), folder.path + "/lists.1.txt")
    let sequences = try Self.sequences(6)
    _ = store.save(sequences, campaigns: 1, of: Self.property)
    var bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
    // One byte of the last three lines, changed, doubled or cut with all behind it.
    let position = bytes.count - 2 - Int(seed) * 2
    let joinsLines = seed % 3 == 0 && bytes[position] == 10
    switch seed % 3 {
    case 0: bytes[position] = bytes[position] == 65 ? 66 : 65
    case 1: bytes.insert(bytes[position], at: position)
    default: bytes.removeSubrange(position...)
    }
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    let contents = store.contents(of: "lists.1")
    #expect(contents.isWritable && contents.sequences.allSatisfy(sequences.contains))
    #expect(contents.sequences.prefix(2) == sequences.prefix(2))
    #expect(seed % 3 == 2 || contents.warnings.count + contents.sequences.count == (joinsLines ? 5 : 6))
    #expect(contents.warnings.allSatisfy { $0.contains("lists.1.txt:") && $0.contains("without this case.") })
  }

  @Test("with a token of another property or version loses that line")
  func others() throws {
    let folder = try TemporaryFolder()
    let token = ReplayToken(property: "lists.2", choices: try Self.sequences(1)[0])
    let text = "corpus version 1, 1 campaigns\n\(token)\nlists.1:2:AAAA\n"
    try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path + "/lists.1.txt"))
    let contents = CorpusStore(folder: folder.path).contents(of: "lists.1")
    #expect(contents.sequences.isEmpty && contents.isWritable && contents.warnings.count == 2)
    #expect(contents.warnings[0].contains("lists.1.txt:2: replay token: found one of 'lists.2', expected one of"))
    #expect(contents.warnings[1].contains("lists.1.txt:3: replay token of 'lists.1': found format version 2"))
  }

  @Test("that is a link, a folder, or in a missing folder is reported and not changed")
  func links() throws {
    let folder = try TemporaryFolder()
    let files = FileManager.default
    let (real, link) = (folder.path + "/real", folder.path + "/link")
    _ = CorpusStore(folder: real).save(try Self.sequences(2), campaigns: 1, of: Self.property)
    try files.createSymbolicLink(atPath: link, withDestinationPath: real)
    try files.createSymbolicLink(atPath: real + "/lists.2.txt", withDestinationPath: real + "/lists.1.txt")
    try files.createDirectory(atPath: real + "/lists.3.txt", withIntermediateDirectories: true)
    for (position, property, problem) in [
      (link, "lists.1", "link: found a link, expected a folder"), (link + "/", "lists.1", "found a link"),
      (real, "lists.2", "lists.2.txt: found a link, expected a file"),
      (real, "lists.3", "lists.3.txt: expected a file"),
      (real + "/lists.1.txt", "lists.1", "lists.1.txt: expected a folder"),
    ] {
      let contents = CorpusStore(folder: position).contents(of: property)
      #expect(contents.sequences.isEmpty && !contents.isWritable)
      #expect(contents.warnings.first?.contains(problem) == true, "\(contents.warnings)")
    }
    let nowhere = CorpusStore(folder: "/dev/null/corpus")
    #expect(nowhere.save([], campaigns: 1, of: Self.property).first?.contains("cannot write '/dev/null/corpus") == true)
  }

  @Test("covers the same edges when it is minimised, and needs each of its cases")
  func minimal() throws {
    let steps = Gen.arrays(of: zip(Gen<Int>.integers(in: 1...12), Gen<Int>.integers(in: 1...40)), count: 1...6)
    let report = try search(.arrays(of: zip(steps, Gen<[UInt8]>.bytes(count: 0...3)), count: 0...30)) { cases in
      var corpus = try #require(GuidedCorpus(edges: 12))
      for (steps, bytes) in cases {
        let choices = ChoiceSequence(bytes.map { ChoiceEntry(tag: .integer, value: UInt64($0), upper: 255) })
        let counts = Set(steps.map { EdgeCount(edge: UInt32($0.0), count: UInt32($0.1)) })
        corpus.add(GuidedCase(choices: choices, steps: Array(counts)))
      }
      func taken(_ cases: some Sequence<GuidedCase>) -> Set<EdgeCount> { Set(cases.flatMap(\.steps)) }
      let (all, minimal) = (taken(corpus.cases), corpus.minimal)
      try require(Set(all.map(\.edge)).count == corpus.reached, "not as many edges")
      try require(taken(minimal) == all, "something is missing")
      for index in minimal.indices {
        let others = minimal.enumerated().filter { $0.offset != index }.map(\.element)
        try require(taken(others) != all, "one can be left out")
      }
    }
    #expect(report.isHeld, "\(report.text())")
  }

  @Test("is not available without instrumentation; the report states why and what to do")
  func obstacles() throws {
    #expect(Guidance.obstacle(assay_no_fault) == nil)
    for (fault, problem) in [
      (assay_not_instrumented, "no module of this program is instrumented; scripts/assay-guided builds one"),
      (assay_edges_unseen, "counts its edges where the engine does not see them; give it -sanitize-coverage=edge,"),
      (assay_hooks_replaced, "another runtime has taken the place of the engine's hooks; link without"),
    ] {
      #expect(try #require(Guidance.obstacle(fault)).contains(problem))
    }
    var settings = CheckSettings()
    #expect(GuidanceFinding(nil, known: 0, settings: settings) == nil)
    settings.isGuided = true
    #expect(try #require(GuidanceFinding(nil, known: 0, settings: settings)).description.hasPrefix("not guided: "))
  }
}
