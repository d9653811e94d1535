// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import PropertyChallenges
import Testing

@Suite("The shrinking challenges")
struct ChallengeTests {
  @Test("there are thirteen of the shrinking challenge and five harder ones, each with a name of its own")
  func names() {
    #expect(Challenges.standard.count == 13)
    #expect(Challenges.harder.count == 5)
    #expect(Set(Challenges.all.map(\.name)).count == 18)
  }

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

  @Test("there are thirty-one of many kinds, ten once held back and ten unseen, each with a name of its own")
  func general() {
    #expect(Challenges.general.count == 31)
    #expect(Challenges.heldBack.count == 10)
    #expect(Challenges.unseen.count == 10)
    let all = Challenges.all + Challenges.general + Challenges.heldBack + Challenges.unseen
    #expect(Set(all.map(\.name)).count == 69)
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

  @Test("the same seed gives the same outcome, but for the time it takes")
  func reproducible() throws {
    let challenge = try #require(Challenges.all.first { $0.name == "bound5" })
    let (first, second) = (try challenge.run(seed: 3), try challenge.run(seed: 3))
    #expect(first.form == second.form)
    #expect(first.evaluations == second.evaluations)
    #expect(first.casesUntilFound == second.casesUntilFound)
  }

  @Test("figures of other engines are of challenges that exist")
  func peers() {
    let names = Set(Challenges.all.map(\.name))
    #expect(Set(Peers.hypothesis.keys) == names)
    #expect(Set(Peers.exhaust.keys) == Set(Challenges.standard.map(\.name)))
  }
}

@Suite("The faults of a binary search tree")
struct TreeTests {
  @Test("eighteen properties and eight faults make 52 tasks, those that the figures of another engine are of")
  func tasks() {
    #expect(TreeProperty.all.count == 18)
    #expect(TreeFault.allCases.count == 8)
    #expect(TreeTask.all.count == 52)
    #expect(Set(TreeTask.all.map(\.challenge.name)) == Set(Peers.exhaustOnTrees.keys))
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

@Suite("The workloads")
struct WorkloadTests {
  @Test("each runs and has a rate", arguments: Workload.all.map(\.name))
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

@Suite("The faults of a red-black tree and of the lambda calculus")
struct FaultTests {
  @Test("fifteen faults make 59 tasks, and ten faults make 20")
  func tasks() {
    #expect(Set(RedBlackTasks.all.map(\.challenge.name)).count == 59)
    #expect(Set(RedBlackTasks.all.compactMap(\.fault)) == Set(RedBlackFault.allCases.map(\.rawValue)))
    #expect(Set(LambdaTasks.all.map(\.challenge.name)).count == 2 * LambdaFault.allCases.count)
  }

  @Test("the code without a fault has all the properties", arguments: RedBlackTasks.correct + LambdaTasks.correct)
  func correct(task: FaultTask) throws {
    #expect(try task.challenge.run(seed: 1, cases: 3000).form == nil)
  }

  @Test(
    "every fault is found by a property that can show it",
    arguments: RedBlackFault.allCases.map(\.rawValue) + LambdaFault.allCases.map(\.rawValue))
  func found(fault: String) throws {
    let tasks = (RedBlackTasks.all + LambdaTasks.all).filter { $0.fault == fault }
    #expect(try tasks.contains { try $0.challenge.run(seed: 2, cases: 10_000, shrinkLimit: 0).form != nil })
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
