// SPDX-License-Identifier: GPL-3.0-or-later
import Testing

@testable import Reporting

@Suite("A duration is read as people type it")
struct TimeSpanTests {
  @Test(
    "a number with a unit, or of seconds",
    arguments: [
      ("30s", Duration.seconds(30)), ("5m", .seconds(300)), ("1.5h", .seconds(5400)), ("250ms", .milliseconds(250)),
      ("90", .seconds(90)), ("0.5", .milliseconds(500)), ("1h30m", .seconds(5400)), ("0", .zero), ("0s", .zero),
      ("5 m", .seconds(300)), ("1 min 30 s", .seconds(90)),
    ])
  func spans(text: String, duration: Duration) {
    #expect(TimeSpan.parse(text) == duration)
  }

  @Test(
    "anything else is nothing",
    arguments: ["", "s", "5x", "-5s", "1e3s", "nan", "inf", "9999h", "1.2.3s", "٥s"])
  func nothing(text: String) {
    #expect(TimeSpan.parse(text) == nil)
  }
}
