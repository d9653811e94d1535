// SPDX-License-Identifier: GPL-3.0-or-later
import Testing

@testable import LiveLab

@Suite("The faults as a guide lists them")
struct FaultGuideTests {
  @Test("every fault has a line: its name, for how long, what must be said, what need not, what it does")
  func lines() {
    let lines = FaultGuide.text.split(separator: "\n")
    #expect(lines.count == Fault.Kind.allCases.count)
    for line in [
      "reset: the open connection is reset",
      "close [code=1001] [delay=0s]: the server closes the open connection, and the client learns of it late",
      "partition for=TIME way=up|down: every packet is lost one way",
      "burst-loss for=TIME enter=SHARE leave=SHARE [good=0%] [bad=100%]: packets are lost in bursts",
      "refusal for=TIME status=NUMBER [retry-after=TIME]: the handshake is answered by an HTTP status",
      "clock-skew for=TIME millionths=NUMBER: the phone's clock is fast or slow",
    ] { #expect(lines.contains(line[...]), "\(line)") }
  }

  @Test(
    "what a line says is read as a schedule, with the brackets left out or taken off",
    arguments: Fault.Kind.allCases)
  func readable(kind: Fault.Kind) throws {
    let words = try #require(FaultGuide.line(kind).split(separator: ":").first).split(separator: " ")
    let examples = ["TIME": "20s", "SHARE": "5%", "NUMBER": kind == .refusal ? "503" : "1000"]
    func said(_ word: Substring) -> String {
      let bare = word.filter { $0 != "[" && $0 != "]" }
      let parts = bare.split(separator: "=")
      guard parts.count == 2 else { return bare }
      let value = parts[1].split(separator: "|")[0]
      return "\(parts[0])=\(examples[String(value)] ?? String(value))"
    }
    for shown in [words, words.filter { !$0.hasPrefix("[") }] {
      let schedule = try FaultSchedule(reading: "live/1 for=10m; 5m " + shown.map(said).joined(separator: " "))
      #expect(schedule.faults.map(\.fault.kind) == [kind])
    }
  }
}
