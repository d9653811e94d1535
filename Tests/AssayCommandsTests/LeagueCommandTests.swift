// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Testing

@Suite("assay league, end to end")
struct LeagueCommandTests {
  @Test("assay league seasons prints tables with intervals, and echoes its parameters with --verbose")
  func text() throws {
    let typed = "league seasons --weeks 3 --seasons 2000 --confidence 0.99"
    let process = try AssayProcess(typed)
    #expect(process.status == 0)
    #expect(process.remarks.isEmpty, "a command echoes itself in --verbose only")
    #expect(try AssayProcess(typed + " --verbose").remarks.contains("assay \(typed)"))
    #expect(process.output.contains("2,000 seasons; each interval holds individually at 0.99 confidence."))
    #expect(process.output.contains("12 teams play 3 weeks."))
    #expect(process.output.contains("power.varianceFromStrength"))
  }
}
