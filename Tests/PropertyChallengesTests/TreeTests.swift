// SPDX-License-Identifier: GPL-3.0-or-later
import PropertyChallenges
import Testing

@Suite("The faults of a binary search tree")
struct TreeTests {
  @Test("eighteen properties and eight faults make 52 tasks, those that the figures of another engine are of")
  func tasks() {
    #expect(TreeProperty.all.count == 18)
    #expect(TreeFault.allCases.count == 8)
    #expect(TreeTask.all.count == 52)
    #expect(Set(TreeTask.all.map(\.challenge.name)) == Set(Peer.exhaustOnTrees.keys))
  }

  @Test("the tree without a fault has all the properties", arguments: TreeTask.correct.map(\.name))
  func correct(name: String) throws {
    let challenge = try #require(TreeTask.correct.first { $0.name == name })
    let outcome = try challenge.run(seed: 1, cases: 5000)
    #expect(outcome.form == nil)
    #expect(outcome.evaluations == 0)
  }

  @Test(
    "every fault is found by every property that can show it, in three trials of three", arguments: TreeFault.allCases)
  func found(fault: TreeFault) throws {
    for task in TreeTask.all where task.fault == fault {
      for seed: UInt64 in 1...3 {
        let outcome = try task.challenge.run(seed: seed, cases: 10_000)
        #expect(outcome.form != nil, "\(task.property), seed \(seed)")
        #expect(outcome.evaluations == outcome.reportedEvaluations)
      }
    }
  }
}
