// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Testing

@Suite("assay league, end to end")
struct LeagueCommandTests {
  @Test("assay league seasons echoes what was typed and prints its tables, with intervals")
  func text() throws {
    let process = try AssayProcess("league seasons --weeks 3 --seasons 2000 --confidence 0.99")
    #expect(process.status == 0)
    #expect(process.remarks == "assay league seasons --weeks 3 --seasons 2000 --confidence 0.99\n")
    #expect(process.output.hasPrefix("The power ranking of 12 teams over 3 weeks\n"))
    #expect(process.output.contains("Every estimate is from 2,000 seasons"))
    #expect(process.output.contains("power.varianceFromStrength"))
  }
}
