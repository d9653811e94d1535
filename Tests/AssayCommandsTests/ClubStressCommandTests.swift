// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Testing

@Suite("assay club stress, end to end")
struct ClubStressCommandTests {
  @Test("any number of workers comes to the same bytes, which another seed changes")
  func sameBytes() throws {
    let typed = "club stress --members 300 --activities 20k --weeks 2 --seed 3 --format json --quiet"
    let one = try AssayProcess(typed + " --jobs 1")
    #expect(one.status == 0 && one.remarks.isEmpty)
    #expect(try AssayProcess(typed + " --jobs 3").output == one.output)
    #expect(try AssayProcess(typed.replacingOccurrences(of: "seed 3", with: "seed 4")).output != one.output)
    #expect(one.output.contains("\"membersWrong\": 0"))
  }

  @Test("text shows the comparison with the ground truth, throughput and memory")
  func text() throws {
    let process = try AssayProcess(
      "club stress --members 300 --activities 20k --weeks 2 --jobs 2", environment: ["LC_ALL": "C"])
    #expect(process.status == 0)
    #expect(process.remarks.hasPrefix("assay club stress --members 300 --activities 20k --weeks 2"))
    #expect(process.output.contains("equals the ground truth"))
    #expect(process.output.contains("MiB") && process.output.contains("   1  "))
  }

  @Test("Ctrl-C ends with 130 and the command to begin again")
  func interrupted() throws {
    let process = try AssayProcess("club stress --activities 5G --weeks 100 --jobs 1", interruptedBy: "5G")
    #expect(process.status == 130)
    #expect(process.remarks.contains("reproduce: assay club stress --activities 5G --weeks 100"))
  }
}
