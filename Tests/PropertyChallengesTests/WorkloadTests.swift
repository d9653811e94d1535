// SPDX-License-Identifier: GPL-3.0-or-later
import PropertyChallenges
import Testing

@Suite("The workloads")
struct WorkloadTests {
  @Test("each runs and has a rate", arguments: Workload.all.map(\.name))
  func rate(name: String) throws {
    let workload = try #require(Workload.all.first { $0.name == name })
    #expect(try workload.casesPerSecond(cases: 100, seed: 1) > 0)
  }
}
