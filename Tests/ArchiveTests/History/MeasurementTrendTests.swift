// SPDX-License-Identifier: GPL-3.0-or-later
import Scenarios
import Testing

@testable import Archive

@Suite("One measurement, run by run")
struct MeasurementTrendTests {
  /// Four runs of quick, the third of another digest, and one of long.
  private func recorded(in fixture: borrowing HistoryFixture) throws -> History {
    let history = try History.open(fixture.path)
    let labelled = ["6d", "8d"].map {
      Measurement(Measure("ev", of: $0, meaning: "what a round brings", nature: .exact), .exact(0.5))
    }
    for minutes in 1...5 {
      let wins = Measurement(
        Measure("wins", meaning: "rounds won", nature: .proportion), .proportion(successes: minutes, trials: 10))
      let document = HistoryFixture.document(
        slug: minutes == 5 ? "long" : "quick", digest: minutes == 3 ? "deadbeef" : "00c0ffee",
        measurements: [wins] + labelled)
      try history.record(document, HistoryFixture.record(at: minutes), folder: "runs/\(minutes)")
    }
    return history
  }

  @Test("comes with the oldest first, and says where the scenario changed")
  func order() throws {
    let fixture = try HistoryFixture()
    let trend = try recorded(in: fixture).trend(of: "wins", in: "quick")
    #expect(trend.points.map(\.measurement.estimate) == [0.1, 0.2, 0.3, 0.4])
    #expect(trend.points.map(\.isNewExperiment) == [false, false, true, true])
    #expect(trend.changes == 2 && trend.measure.meaning == "rounds won")
    #expect(try recorded(in: fixture).trend(of: "wins", in: "quick", last: 2).points.map(\.run.id) == [3, 4])
  }

  @Test("goes by its full name, whose label is asked for where there are several")
  func names() throws {
    let fixture = try HistoryFixture()
    let history = try recorded(in: fixture)
    #expect(try history.trend(of: "ev[8d]", in: "quick").points.count == 4)
    #expect(
      throws: ArchiveError.history(
        path: fixture.path, .noSuchMeasurement("ev", scenario: "quick", nearest: nil, known: ["ev[6d]", "ev[8d]"]))
    ) { try history.trend(of: "ev", in: "quick") }
    #expect(
      throws: ArchiveError.history(
        path: fixture.path,
        .noSuchMeasurement("winz", scenario: "quick", nearest: "wins", known: ["ev[6d]", "ev[8d]", "wins"]))
    ) { try history.trend(of: "winz", in: "quick") }
    #expect(
      throws: ArchiveError.history(
        path: fixture.path, .noSuchScenario("quik", nearest: "quick", known: ["long", "quick"]))
    ) { try history.trend(of: "wins", in: "quik") }
  }
}
