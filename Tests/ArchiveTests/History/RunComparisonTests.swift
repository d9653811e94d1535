// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Reporting
import Scenarios
import Testing

@testable import Archive

@Suite("Two runs beside each other")
struct RunComparisonTests {
  private typealias Fixture = HistoryFixture

  /// A share of successes among a thousand trials.
  private static func share(_ successes: Int, _ name: String = "wins") -> Scenarios.Measurement {
    Measurement(
      Measure(name, meaning: "rounds won", nature: .proportion), .proportion(successes: successes, trials: 1000))
  }

  /// The comparison of two results, recorded with the texts of their scenarios.
  private func comparison(
    _ before: ResultDocument, _ after: ResultDocument, texts: (String, String) = ("seed: 1\n", "seed: 1\n"),
    confidence: Double = 0.99, status: RunRecord.Status = .complete
  ) throws -> RunComparison {
    let fixture = try HistoryFixture()
    let history = try History.open(fixture.path)
    for (name, text, document, minutes) in [("a", texts.0, before, 1), ("b", texts.1, after, 2)] {
      try FileManager.default.createDirectory(atPath: fixture.folder + "/" + name, withIntermediateDirectories: true)
      try fixture.write(text, as: name + "/scenario.yaml")
      try history.record(
        document, Fixture.record(at: minutes, status: status), folder: fixture.folder + "/" + name)
    }
    return try history.comparison(
      of: history.run(named: "latest~1"), with: history.run(named: "latest"), confidence: confidence)
  }

  @Test("of one scenario by one version must be the same to the last bit")
  func repeated() throws {
    let same = try comparison(Fixture.document(), Fixture.document())
    #expect(same.relation == .repeated && !same.differs && same.jointConfidence == 0.99)
    #expect(same.differences.count == Fixture.everyForm.count)
    #expect(same.differences.allSatisfy { $0.finding == .sameByConstruction })
    let off = try comparison(
      Fixture.document(measurements: [Self.share(400)]), Fixture.document(measurements: [Self.share(401)]))
    #expect(off.differences.map(\.finding) == [.notReproduced] && off.differs)
  }

  @Test("need not be the same where one was interrupted, or by another version")
  func notRepeated() throws {
    #expect(try comparison(Fixture.document(), Fixture.document(), status: .interrupted).relation == .unknown)
    #expect(try comparison(Fixture.document(), Fixture.document(version: "0.2.0")).relation == .unknown)
  }

  @Test("are independent only where both name a seed, and not the same one")
  func independence() throws {
    let (one, other) = (Fixture.document(), Fixture.document(digest: "deadbeef"))
    let cases: [(String, String, MeasurementDifference.Relation)] = [
      ("seed: 1\n", "seed: 2\n", .independent), ("seed: 1\nrounds: 5\n", "seed: 1\nrounds: 6\n", .unknown),
      ("rounds: 5\n", "rounds: 6\n", .unknown), ("rounds: 5\n", "seed: 2\n", .unknown),
      ("seed: 1\ngenerator: mt19937\n", "seed: 1\ngenerator: taus2\n", .independent),
      ("random:\n  seed: 1\n", "random:\n  seed: 2\n", .independent),
      ("seed: 1\nseeds: 3\n", "seed: 1\nseeds: 4\n", .unknown),
      ("seed: 1\nplay:\n  seed: 1\n", "seed: 2\nplay:\n  seed: 1\n", .unknown),
    ]
    for (before, after, relation) in cases {
      #expect(try comparison(one, other, texts: (before, after)).relation == relation, "\(before) \(after)")
    }
  }

  @Test("share the error among all that is sampled, and leave none to what is exact")
  func shared() throws {
    let exact = Measurement(Measure("edge", meaning: "", nature: .exact), .exact(1))
    let measurements = [Self.share(400, "a"), exact, Self.share(450, "b"), Self.share(410, "c"), Self.share(1, "d")]
    let found = try comparison(
      Fixture.document(measurements: measurements), Fixture.document(digest: "deadbeef", measurements: measurements),
      texts: ("seed: 1", "seed: 2"), confidence: 0.96)
    #expect(found.differences.map(\.confidence) == [0.99, 1, 0.99, 0.99, 0.99])
    #expect(found.jointConfidence == 0.96)
    #expect(!found.differs)
  }

  @Test("say so where measurements bring too little confidence along")
  func ownConfidence() throws {
    let interval = Measurement(
      Measure("margin", meaning: "", nature: .interval(confidence: 0.98)),
      .interval(1, low: 0, high: 2, confidence: 0.98, samples: 9))
    let found = try comparison(
      Fixture.document(measurements: [interval, Self.share(4)]),
      Fixture.document(digest: "deadbeef", measurements: [interval, Self.share(5)]), confidence: 0.98)
    #expect(abs(found.jointConfidence - (1 - 0.04 - 0.01)) < 1e-12)
  }

  @Test("are matched by full name, and what only one measured is named")
  func matching() throws {
    let found = try comparison(
      Fixture.document(measurements: [Self.share(1, "a"), Self.share(2, "b")]),
      Fixture.document(digest: "deadbeef", measurements: [Self.share(3, "c"), Self.share(4, "b")]))
    #expect(found.differences.map(\.before.measure.name) == ["b"])
    #expect(found.onlyBefore.map(\.measure.name) == ["a"] && found.onlyAfter.map(\.measure.name) == ["c"])
    #expect(found.differs)
  }

  @Test("show each threshold with both judgements, also where one was not asked for")
  func thresholds() throws {
    let found = try comparison(
      Fixture.document(thresholds: [Fixture.judged(.holds), Fixture.judged(.holds, "wins <= 0.9 at 0.99")]),
      Fixture.document(thresholds: [Fixture.judged(.undecided), Fixture.judged(.holds, "wins >= 0.1 at 0.99")]))
    #expect(found.thresholds.map(\.text) == ["wins >= 0.4 at 0.99", "wins <= 0.9 at 0.99", "wins >= 0.1 at 0.99"])
    #expect(found.thresholds.map { $0.before?.judgement } == [.holds, .holds, nil])
    #expect(found.thresholds.map { $0.after?.judgement } == [.undecided, nil, .holds])
    #expect(found.differs)
  }

  @Test("tell what else differs, down to the lines of the scenario")
  func circumstances() throws {
    let found = try comparison(
      Fixture.document(), Fixture.document(digest: "deadbeef", version: "0.2.0"),
      texts: ("name: A\nrounds: 5\nseed: 1\n", "name: A\nseed: 2\nrounds: 5\nrules: 6d\n"))
    let names = found.circumstances.filter(\.differs).map(\.name)
    #expect(names == ["digest", "Assay", "folder"])
    let lines = try #require(found.settings).map { $0.side.rawValue + $0.text }
    #expect(lines == [" name: A", "+seed: 2", " rounds: 5", "-seed: 1", "+rules: 6d"])
  }
}
