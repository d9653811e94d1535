// SPDX-License-Identifier: GPL-3.0-or-later
import LiveCore
import Testing

@testable import LiveLab

@Suite("Moments and lengths of a timeline")
struct TimelineClockTests {
  @Test(
    "moments have minutes, seconds and thousandths, and hours only where there are any",
    arguments: [
      (0, "0:00.000"), (999_999, "0:00.000"), (85_400_000, "0:00.085"), (125_250_000_000, "2:05.250"),
      (3_599_999_999_999, "59:59.999"), (3_600_000_000_000, "1:00:00.000"), (45_296_007_000_000, "12:34:56.007"),
    ])
  func moments(nanoseconds: Int64, text: String) {
    #expect(TimelineClock.text(of: Instant(nanoseconds: nanoseconds)) == text)
  }

  @Test(
    "lengths have the two units that say most",
    arguments: [
      (0, "0 ms"), (85, "85 ms"), (1_000, "1 s"), (2_500, "2.5 s"), (2_050, "2.05 s"), (59_999, "59.999 s"),
      (60_000, "1 min"), (90_999, "1 min 30 s"), (3_600_000, "1 h"), (7_500_000, "2 h 5 min"),
    ])
  func lengths(milliseconds: Int64, text: String) {
    #expect(TimelineClock.text(of: .milliseconds(milliseconds)) == text)
  }
}
