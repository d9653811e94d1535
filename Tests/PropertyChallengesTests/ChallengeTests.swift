// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import PropertyChallenges
import Testing

@Suite("The shrinking challenges")
struct ChallengeTests {
  @Test(
    "every seed leads to the simplest case, and the engine counts as many evaluations as the property's body",
    arguments: Challenges.all.map(\.name))
  func minimal(name: String) throws {
    let challenge = try #require(Challenges.all.first { $0.name == name })
    for seed: UInt64 in 1...10 {
      let outcome = try challenge.run(seed: seed)
      #expect(outcome.form == challenge.normalForm, "seed \(seed)")
      #expect(outcome.isMinimal)
      #expect(outcome.evaluations == outcome.reportedEvaluations && outcome.evaluations > 1, "seed \(seed)")
    }
  }

  @Test("there are 69 with distinct names")
  func names() {
    let all = Challenges.all + Challenges.general + Challenges.heldBack + Challenges.unseen
    #expect(all.count == 69 && Set(all.map(\.name)).count == 69)
  }

  @Test(
    "general moves lead to the simplest case that no pass alone leads to",
    arguments: [
      "remainders", "four_squares", "split", "semver", "branch_switch", "capitals", "month", "locks",
      "float_mean",
    ])
  func moves(name: String) throws {
    let challenge = try #require(Challenges.general.first { $0.name == name })
    for seed: UInt64 in 1...4 {
      #expect(try challenge.run(seed: seed).form == challenge.normalForm, "seed \(seed)")
    }
  }

  @Test("a search that is given one case finds nothing or finds it at once")
  func oneCase() throws {
    let challenge = try #require(Challenges.all.first { $0.name == "difference_not_one" })
    let outcomes = try (1...20).map { seed in try challenge.run(seed: seed, cases: 1) }
    let found = outcomes.filter { $0.form != nil }
    #expect(found.allSatisfy { $0.casesUntilFound == 1 })
    #expect(found.count < 20)
    #expect(outcomes.filter { $0.form == nil }.allSatisfy { $0.evaluations == 0 && !$0.isMinimal })
  }

  @Test("the same seed gives the same outcome, except for the time")
  func reproducible() throws {
    let challenge = try #require(Challenges.all.first { $0.name == "bound5" })
    let (first, second) = (try challenge.run(seed: 3), try challenge.run(seed: 3))
    #expect(first.form == second.form)
    #expect(first.evaluations == second.evaluations)
    #expect(first.casesUntilFound == second.casesUntilFound)
  }

  @Test("results of other engines refer to existing challenges")
  func peers() {
    let names = Set(Challenges.all.map(\.name))
    #expect(Set(Peers.hypothesis.keys) == names)
    #expect(Set(Peers.exhaust.keys) == Set(Challenges.standard.map(\.name)))
  }
}

@Suite("The workloads")
struct WorkloadTests {
  @Test("each runs and reports a rate", arguments: Workload.all.map(\.name))
  func rate(name: String) throws {
    let workload = try #require(Workload.all.first { $0.name == name })
    #expect(try workload.casesPerSecond(cases: 100, seed: 1) > 0)
  }
}

@Suite("Recorded histories")
struct HistoryTests {
  private func read(_ name: String) throws -> [RecordedHistory] {
    let folder = try #require(Bundle.module.url(forResource: "Fixtures", withExtension: nil))
    return try RecordedHistory.read(String(contentsOf: folder.appending(path: name), encoding: .utf8), name: name)
  }

  @Test(
    "are decided as their source decides them",
    arguments: [
      ("jepsen_etcd_histories.jsonl", 52, 11), ("kv_c01-ok.txt", 1, 1), ("kv_c10-ok.txt", 1, 1),
      ("kv_c10-bad.txt", 1, 0),
    ])
  func verdicts(file: String, count: Int, linearizable: Int) throws {
    let histories = try read(file)
    #expect(histories.count == count)
    #expect(histories.count { $0.isLinearizable == true } == linearizable)
    for history in histories { #expect(history.decide() == history.isLinearizable, "\(history.name)") }
  }

  @Test(
    "that are damaged are refused with the line",
    arguments: [
      "", "{:process 0, :type :ok, :f :get, :key \"0\", :value \"\"}", "; a log\nnonsense",
      "{:process 0, :type :invoke, :f :get, :key \"0\", :value nil}",
      "{\"name\":\"a\",\"events\":[[0,\"ok\",\"read\",\"1\"]]}",
      "{\"name\":\"a\",\"events\":[[0,\"invoke\",\"cas\",\"1\"],[0,\"ok\",\"cas\",\"1\"]]}", "{\"name\":",
    ])
  func damaged(text: String) {
    let error = #expect(throws: HistoryError.self) { try RecordedHistory.read(text, name: "a.log") }
    #expect(error?.description.hasPrefix("a.log:\(text.hasPrefix(";") ? 2 : 1): ") == true)
  }
}

@Suite("The faults of trees and of the lambda calculus")
struct FaultTests {
  private static let others = RedBlackTasks.all + LambdaTasks.all

  @Test("make 52, 59 and 20 tasks, each fault some, and those of the search tree are those of another engine's figures")
  func tasks() {
    #expect(TreeTasks.all.count == 52 && RedBlackTasks.all.count == 59 && LambdaTasks.all.count == 20)
    #expect(Set(TreeTasks.all.map(\.challenge.name)) == Set(Peers.exhaustOnTrees.keys))
    #expect(Set(RedBlackTasks.all.compactMap(\.fault)) == Set(RedBlackFault.allCases.map(\.rawValue)))
  }

  @Test(
    "the code without a fault has all the properties",
    arguments: TreeTasks.correct + RedBlackTasks.correct + LambdaTasks.correct)
  func correct(task: FaultTask) throws {
    let outcome = try task.challenge.run(seed: 1, cases: 5000)
    #expect(outcome.form == nil && outcome.evaluations == 0)
  }

  @Test("every fault of a search tree is found by every property that can show it", arguments: TreeTasks.all)
  func everywhere(task: FaultTask) throws {
    for seed: UInt64 in 1...3 {
      let outcome = try task.challenge.run(seed: seed, cases: 10_000)
      #expect(outcome.form != nil && outcome.evaluations == outcome.reportedEvaluations, "seed \(seed)")
    }
  }

  @Test("every fault is found by a property that can show it", arguments: Set(others.compactMap(\.fault)))
  func found(fault: String) throws {
    #expect(
      try Self.others.contains {
        try $0.fault == fault && $0.challenge.run(seed: 2, cases: 10_000, shrinkLimit: 0).form != nil
      })
  }
}

@Suite("Relations between values")
struct RelationTests {
  @Test("are found", arguments: Challenges.related.map(\.name))
  func found(name: String) throws {
    let challenge = try #require(Challenges.related.first { $0.name == name })
    #expect(try challenge.run(seed: 1, cases: 20_000, shrinkLimit: 0).form != nil)
  }
}
