// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Testing

@Suite("assay club stress, end to end")
struct ClubStressCommandTests {
  @Test("text shows the comparison with the ground truth, throughput and memory")
  func text() throws {
    let process = try AssayProcess(
      "club stress --members 300 --activities 20k --weeks 2 --jobs 2", environment: ["LC_ALL": "C"])
    #expect(process.status == 0)
    #expect(process.remarks.hasPrefix("assay club stress --members 300 --activities 20k --weeks 2"))
    #expect(process.output.contains("equals the ground truth"))
    #expect(process.output.contains("MiB") && process.output.contains("   1  "))
    let json = try AssayProcess("club stress --members 300 --activities 20k --weeks 2 --seed 3 --format json --quiet")
    #expect(json.output.contains("\"membersWrong\": 0"))
  }
}
