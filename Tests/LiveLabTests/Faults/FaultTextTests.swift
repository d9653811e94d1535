// SPDX-License-Identifier: GPL-3.0-or-later
import LiveCore
import Testing

@testable import LiveLab

@Suite("Times and shares as texts")
struct FaultTextTests {
  @Test(
    "a time is written as people say it, and read back to the nanosecond",
    arguments: [
      (0, "0s"), (1, "0.000000001s"), (250_000_000, "250ms"), (999_500_000, "0.9995s"), (1_000_000_000, "1s"),
      (60_000_000_000, "1m"), (61_500_000_000, "1m1.5s"), (3_600_000_000_000, "1h"), (3_600_250_000_000, "1h0.25s"),
      (9_000_000_000_000, "2h30m"), (Int64.max, "2562047h47m16.854775807s"),
    ] as [(Int64, String)])
  func times(nanoseconds: Int64, text: String) {
    #expect(FaultText.time(nanoseconds) == text)
    #expect(FaultText.readTime(text) == nanoseconds)
  }

  @Test("a bare number is in seconds; units come in order, each once")
  func readTimes() {
    #expect(FaultText.readTime("90") == 90_000_000_000)
    #expect(FaultText.readTime("1.5") == 1_500_000_000)
    #expect(FaultText.readTime("1m250ms") == 60_250_000_000)
    #expect(FaultText.readTime("0.5h") == 1_800_000_000_000)
    #expect(FaultText.readTime("forever") == FaultSchedule.longest.nanoseconds)
    for text in [
      "", "s", "5x", "5s3m", "5s5s", "-5s", "5 s", "1.s", ".5s", "1e3s", "0.0000000001s", "9999999999h", "٣s",
    ] {
      #expect(FaultText.readTime(text) == nil, "\(text)")
    }
    #expect(FaultText.time(-1_500_000_000) == "-1.5s")
  }

  @Test("a share is in percent or from 0 to 1, exact to the millionth")
  func portions() {
    #expect(FaultText.portion(50_000) == "5%")
    #expect(FaultText.portion(1) == "0.0001%")
    #expect(FaultText.portion(1_000_000) == "100%")
    for millionths in [0, 1, 999, 125_000, 999_999, 1_000_000] as [Int64] {
      #expect(FaultText.readPortion(FaultText.portion(millionths)) == millionths)
    }
    #expect(FaultText.readPortion("0.05") == 50_000)
    for text in ["", "%", "0.0000001", "0.00001%", "-1%", "five"] {
      #expect(FaultText.readPortion(text) == nil, "\(text)")
    }
  }
}
