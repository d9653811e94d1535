// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Testing

@Suite("assay live storm, end to end")
struct LiveStormCommandTests {
  @Test("text compares the policies, rates a minute and a second are converted, and --verbose echoes every option")
  func text() throws {
    let typed = "live storm --clients 20k --outage 30s --capacity 1000/s --policy full --policy exponential"
    let process = try AssayProcess(typed + " --jobs 2", environment: ["LC_ALL": "C"])
    #expect(process.status == 0)
    #expect(process.remarks.isEmpty, "a command echoes itself in --verbose only")
    #expect(try AssayProcess(typed + " --jobs 2 --verbose").remarks.contains("assay \(typed)"))
    #expect(process.output.hasPrefix("20,000 clients, a server down for 30 s that then accepts 1,000 a second\n"))
    #expect(process.output.contains("\nfull-jitter ") && process.output.contains("\nexponential "))
    #expect(process.output.contains("\nFor this storm full-jitter is recommended: its peak of "))
    let same = try AssayProcess(
      "live storm --clients 20k --outage 0.5m --capacity 60k/m --policy full exponential --quiet",
      environment: ["LC_ALL": "C"])
    #expect(same.output == process.output)
  }
}
