// SPDX-License-Identifier: GPL-3.0-or-later
@testable import MonteCarlo
import Synchronization
import Testing

@Suite("The progress of a run")
struct ProgressTests {
  @Test("A line has the rounds, the rate, the time left and the note")
  func line() {
    let line = ProgressLine(
      rounds: 120_000_000, maxRounds: 1_000_000_000, elapsed: .seconds(5), note: "312 of 330 cells decided")
    #expect(line.text() == "120 M of 1.0 G rounds (12%), 24.0 M/s, 37 s left, 312 of 330 cells decided")
  }

  @Test("Without a known end there is neither a share nor a time left")
  func unknownEnd() {
    let line = ProgressLine(rounds: 1500, maxRounds: nil, elapsed: .seconds(2))
    #expect(line.text() == "1.5 k rounds, 750/s")
  }

  @Test("At the very start there is no rate")
  func start() {
    #expect(ProgressLine(rounds: 0, maxRounds: 2000, elapsed: .zero).text() == "0 of 2.0 k rounds (0%)")
    #expect(ProgressLine(rounds: 0, maxRounds: 0, elapsed: .zero).text() == "0 rounds")
  }

  @Test("A line is never as wide as the terminal, which would wrap it", arguments: [0, 1, 20, 40])
  func narrow(columns: Int) {
    let line = ProgressLine(rounds: 123, maxRounds: 1_000_000, elapsed: .seconds(1), note: "a long note")
    #expect(line.text(columns: columns).count == max(0, columns - 1))
  }

  @Test(
    "Counts have two or three significant digits",
    arguments: [
      (0, "0"), (999, "999"), (1000, "1.0 k"), (99_949, "99.9 k"), (99_950, "100 k"), (999_499, "999 k"),
      (999_500, "1.0 M"), (27_200_000, "27.2 M"), (1_000_000_000, "1.0 G"),
    ])
  func counts(count: Int, text: String) {
    #expect(ProgressLine.short(count) == text)
  }

  @Test(
    "Durations are in their two largest units",
    arguments: [(0.2, "1 s"), (59, "59 s"), (125, "2 min 05 s"), (11_220, "3 h 07 min")])
  func durations(seconds: Double, text: String) {
    #expect(ProgressLine.short(.seconds(seconds)) == text)
  }

  @Test("A meter draws at once, counts what workers play, and leaves no trace")
  func meter() throws {
    let written = Mutex<[String]>([])
    let meter = ProgressMeter(maxRounds: 1000) { text in written.withLock { $0.append(text) } }
    meter.draw()
    #expect(written.withLock { $0.count } == 1)
    _ = try PointsInCircle().run(
      BlockPlan(.rounds(1000), roundsPerBlock: 10), workers: 2, progress: { meter.advance(by: $0) })
    meter.say("3 cells decided")
    meter.draw()
    meter.finish()
    meter.finish()
    meter.draw()
    let drawn = written.withLock { $0 }
    #expect(drawn.count == 3)
    #expect(drawn[1].hasPrefix("1.0 k of 1.0 k rounds (100%)"))
    #expect(drawn[1].contains("3 cells decided"))
    #expect(drawn[2].isEmpty)
  }
}
