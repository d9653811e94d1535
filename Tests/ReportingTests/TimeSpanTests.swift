// SPDX-License-Identifier: GPL-3.0-or-later
import Reporting
import Testing

@Suite("A duration is read in the usual notations")
struct TimeSpanTests {
  @Test(
    "a number with a unit; nothing alone needs none",
    arguments: [
      ("30s", Duration.seconds(30)), ("5m", .seconds(300)), ("1.5h", .seconds(5400)), ("250ms", .milliseconds(250)),
      ("1h30m", .seconds(5400)), ("0", .zero), ("0s", .zero),
      ("5 m", .seconds(300)), ("1 min 30 s", .seconds(90)),
    ])
  func spans(text: String, duration: Duration) {
    #expect(TimeSpan.parse(text) == duration)
  }

  @Test(
    "anything else is nothing",
    arguments: ["", "s", "90", "0.5", "1h30", "5x", "-5s", "1e3s", "nan", "inf", "9999h", "1.2.3s", "٥s"])
  func nothing(text: String) {
    #expect(TimeSpan.parse(text) == nil)
  }

  @Test("a number alone is refused with both of its readings")
  func readings() {
    #expect(
      TimeSpan.expected("a length of time", in: "30000")
        == "a length of time, with its unit: '30000s' is 500m, '30000ms' is 30s")
    #expect(TimeSpan.expected("a length of time", in: "soon") == "a length of time")
  }
}
