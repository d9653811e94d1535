// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Testing

@Suite("assay club feed, end to end")
struct ClubFeedCommandTests {
  private func run(_ typed: String, _ threshold: String = "feed.doubleCounts == 0") throws -> AssayProcess {
    try AssayProcess(
      "club feed --members 5 --weeks 1 --seasons 2 \(typed)",
      ["--faults", "{renames: usual}", "--threshold", threshold])
  }

  @Test("the tables and the thresholds are shown, and the exit code is 0 when all hold")
  func text() throws {
    let process = try run("--jobs 1")
    #expect(process.status == 0, "\(process.remarks)")
    #expect(process.output.contains("The week ledger over 1 week of a club of 5"))
    #expect(process.output.contains(/holds +feed\.doubleCounts\[renames\] == 0 +0 rides/))
  }

  @Test("a threshold that fails ends with 1, and how to reproduce it")
  func fails() throws {
    let process = try run("--jobs 1", "feed.doubleCounts >= 1e6")
    #expect(process.status == 1 && process.remarks.contains("reproduce: assay club feed --members 5"))
  }
}
