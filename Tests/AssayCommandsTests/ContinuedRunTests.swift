// SPDX-License-Identifier: GPL-3.0-or-later
import ArgumentParser
import Archive
import AssayCommands
import Foundation
import MonteCarlo
import Reporting
import Scenarios
import TestSupport
import Testing

@testable import Workbench

@Suite("Runs of every kind can be interrupted, resumed and divided into shards")
struct ContinuedRunTests {
  struct Trial: CustomTestStringConvertible, Sendable {
    let kind: String
    let settings: String
    /// About how many samples it plays.
    let samples: Int
    var testDescription: String { kind }
  }

  static let trials = [
    Trial(kind: "blackjack.play", settings: "rounds: 3M\nhalf-width: 0.002", samples: 3_000_000),
    Trial(kind: "blackjack.hand", settings: "cards: '10,6'\nupcard: 10\nrounds: 200k", samples: 200_000),
    Trial(kind: "league.seasons", settings: "seasons: 4k", samples: 4_000),
    Trial(kind: "live.simulate", settings: "profiles: [lift, tunnel]\nsessions: 1k\nend: all", samples: 1_000),
    Trial(kind: "live.storm", settings: "clients: 50k\npolicies: [full-jitter, grpc]\nstorms: 2", samples: 200_000),
    Trial(
      kind: "club.feed",
      settings: """
        club: {members: 12, weeks: 1}
        fetch: {every: 3h, page-size: 30}
        faults: {edits: {rate: 0.3}, truncated bodies: default}
        seasons: 5
        seasons-each: 2
        """, samples: 5),
    Trial(
      kind: "league.seasons", settings: "seasons: 3k\nsweep: ['weeks=2,3', 'mean=90,100']", samples: 12_000),
    Trial(kind: "league.seasons", settings: "seasons: 3k\nweeks: 3\nversus: ties=10%", samples: 6_000),
    Trial(
      kind: "live.storm",
      settings: "clients: 5k\npolicies: [full-jitter]\nfind: capacity=50/s..2000/s:200\n"
        + "until: storm.back99 <= 40s", samples: 60_000),
    Trial(kind: "fantasy.season", settings: "seasons: 300\nteams: 2\nrounds: 8", samples: 300),
    Trial(kind: "blackjack.bankroll", settings: "trips: 4k\nbankroll: 20\nrounds: 50", samples: 4_000),
    Trial(
      kind: "blackjack.count", settings: "rules: 1d-cut50\nchart: trainer\nshoes: 20k\nversus: hands=2",
      samples: 60_000),
    Trial(
      kind: "blackjack.train", settings: "rules: inf\nsessions: 500\nstudents: [hits-12, learner]", samples: 500),
    Trial(
      kind: "league.seasons", settings: "seasons: 8k\nweeks: 3\nhalf-width: 0.02\nteams: 4", samples: 8_000),
    Trial(kind: "profile.edit", settings: "samples: 2k\nevents: 20\nend: all", samples: 2_000),
    Trial(kind: "profile.navigate", settings: "samples: 20k", samples: 20_000),
    Trial(kind: "calibration", settings: "repeats: 600\nmethods: [proportion]", samples: 6_000),
  ]

  /// Decided in too many rounds to share them.
  static let charts = [
    Trial(kind: "blackjack.chart", settings: "rules: inf\nindifference: 0.05\nconfidence: 0.9", samples: 2_000_000),
    Trial(kind: "blackjack.verify", settings: "indifference: 0.05\nconfidence: 0.9", samples: 2_000_000),
  ]

  private enum Program: WorkbenchProgram { static let labs = AssayProgram.labs }
  private let kinds = ProgramParts(Program.self).experiments
  private let temporary: TemporaryFolder
  private var folder: String { temporary.path }

  init() throws { temporary = try TemporaryFolder() }

  private func scenario(_ trial: Trial) throws -> Scenario {
    try Scenario(
      ScenarioDocument(yaml: "name: One\nkind: \(trial.kind)\n\(trial.settings)\n", file: "one.yaml"),
      kinds: kinds)
  }

  private func run(
    _ trial: Trial, _ part: ShardPlan = ShardPlan(), in root: String, workers: Int = 2, maxSamples: Int? = nil
  ) throws -> FinishedRun {
    try ScenarioRunner(
      root: "\(folder)/\(root)", command: "", context: RunContext(workers: workers, maxSamples: maxSamples),
      gsl: "2.7.1", part: part
    ).run(scenario(trial))
  }

  private func bytes(_ run: FinishedRun) throws -> String { try TextFile.read("\(run.folder)/result.json") }

  @Test("Interruptions do not change the result", arguments: trials + charts)
  func interruptions(trial: Trial) throws {
    let whole = try bytes(run(trial, in: "whole"))
    var part = ShardPlan()
    for stop in 1...100 {
      let run = try run(
        trial, part, in: "stopped", workers: stop % 3 + 1, maxSamples: trial.samples * stop / 5 + stop)
      guard run.resumption != nil else {
        #expect(try bytes(run) == whole)
        #expect(FileManager.default.fileExists(atPath: "\(run.folder)/checkpoint") == false)
        return
      }
      // Sums of blocks, not the samples in them; of a search, those of every value that was tried.
      let maximum = trial.settings.contains("find:") ? 40_000_000 : 3_000_000
      #expect(try TextFile.read("\(run.folder)/checkpoint").utf8.count < maximum)
      let stored = try StoredCheckpoint(in: run.folder)
      try stored.check(for: stored.scenario(kinds: kinds), gsl: "2.7.1", build: RunRecord.Build())
      part.records = stored.records
    }
    Issue.record("the run does not come to its end")
  }

  @Test("Division into shards does not change the result", arguments: trials, [3])
  func shards(trial: Trial, count: Int) throws {
    let whole = try bytes(run(trial, in: "whole"))
    var records: [Checkpoint.Record] = []
    for _ in 1...100 {
      var shards: [StoredCheckpoint] = []
      for number in (1...count).reversed() {
        var part = ShardPlan(shard: Shard(number: number, count: count))
        part.records = records
        let run = try run(trial, part, in: "shards")
        shards.append(try StoredCheckpoint(in: run.folder))
      }
      var merge = ShardPlan()
      (merge.records, merge.isMerge) = (try StoredCheckpoint.united(shards), true)
      let merged = try run(trial, merge, in: "merged")
      if merged.resumption == nil { return #expect(try bytes(merged) == whole) }
      records = merge.records
      #expect(StoredCheckpoint.missing(try #require(merged.open), of: shards) == nil)
    }
    Issue.record("the rounds do not come to their end")
  }

  /// Tosses of a loaded coin: the threshold is so near that several looks are needed.
  private struct LoadedCoin: SampledExperiment {
    static let kind = "coin.loaded"
    static let summary = "Tosses of a loaded coin."
    var heads = 0.7
    static let parameters: [Parameter<Self>] = [
      Parameter("heads", \.heads, .number(0...1), "The chance of heads.", example: "0.6")
    ]
    static let measures: [SampleMeasure<Bool>] = [
      .share("heads", "Tosses that show heads.") { $0 },
      .percentiles("least", "The last digit.", [50]) { $0 ? 1 : 0 },
    ]
    func sample(_ random: inout RandomStream) -> Bool { random.happens(heads) }
  }

  static let endings = [
    "samples: 1k\nthresholds: ['heads <= 72.3% at 0.999']", "samples: 9k\nthresholds: ['heads <= 72.3% at 0.999']",
    "samples: 40k\nthresholds: ['heads <= 71% at 0.999']",
    "samples: 9k\nfind: heads=0.5..0.9:0.2\nuntil: heads <= 72.3% at 0.9",
    "samples: 3k\nsweep: ['heads=0.5,0.7']\nthresholds: ['heads[heads=0.7] <= 72.3% at 0.999']",
  ]

  @Test(
    "Shards of a run that ends early are merged round by round, also where one is late", arguments: endings, [2, 3, 7])
  func earlyEnd(settings: String, count: Int) throws {
    let scenario = try Scenario(
      ScenarioDocument(yaml: "name: Coin\nkind: coin.loaded\n\(settings)\n", file: "coin.yaml"),
      kinds: [LoadedCoin.runnable])
    func run(_ part: ShardPlan, in root: String) throws -> FinishedRun {
      try ScenarioRunner(
        root: "\(folder)/\(root)", command: "", context: RunContext(workers: 2), gsl: "2.7.1", part: part
      ).run(scenario)
    }
    func shard(_ number: Int, after records: [Checkpoint.Record]) throws -> StoredCheckpoint {
      var part = ShardPlan(shard: Shard(number: number, count: count))
      part.records = records
      return try StoredCheckpoint(in: run(part, in: "shards").folder)
    }
    func merged(_ shards: [StoredCheckpoint]) throws -> (run: FinishedRun, records: [Checkpoint.Record]) {
      var part = ShardPlan()
      (part.records, part.isMerge) = (try StoredCheckpoint.united(shards), true)
      return (try run(part, in: "merged"), part.records)
    }
    let whole = try bytes(run(ShardPlan(), in: "whole"))
    var records: [Checkpoint.Record] = []
    for round in 1...100 {
      var shards = try (1...count).map { try shard($0, after: records) }
      if round.isMultiple(of: 2) {
        // One is lost, and is played again after a merge of the others.
        let others = try merged(Array(shards.dropLast()))
        shards[count - 1] = try shard(count, after: others.records)
      }
      let now = try merged(shards)
      if now.run.resumption == nil { return #expect(try bytes(now.run) == whole) }
      #expect(StoredCheckpoint.missing(try #require(now.run.open), of: shards) == nil)
      records = now.records
    }
    Issue.record("the rounds do not come to their end")
  }

  @Test("A checkpoint of another scenario or build and incompatible shards are refused by name")
  func foreign() throws {
    let trial = Self.trials[2]
    let stopped = try run(trial, in: "runs", maxSamples: 1_500)
    let stored = try StoredCheckpoint(in: stopped.folder)
    let other = try scenario(Trial(kind: trial.kind, settings: "seasons: 5k", samples: 0))
    let errors = [
      #expect(throws: ArchiveError.self) { try stored.check(for: other, gsl: "2.7.1", build: RunRecord.Build()) },
      #expect(throws: ArchiveError.self) {
        try stored.check(for: scenario(trial), gsl: "2.8", build: RunRecord.Build())
      },
      #expect(throws: ArchiveError.self) {
        try stored.check(for: scenario(trial), gsl: "2.7.1", build: RunRecord.Build(binary: "abc"))
      },
    ].map { $0?.description ?? "" }
    #expect(errors.allSatisfy { $0.hasPrefix("checkpoint '\(stopped.folder)/checkpoint': found ") })
    #expect(
      errors[0].contains("'seasons: 5000'") && errors[1].contains("GSL 2.7.1") && errors[2].contains("binary abc"))
    let half = try StoredCheckpoint(in: run(trial, ShardPlan(shard: Shard("1/2")), in: "runs").folder)
    let quarter = try StoredCheckpoint(in: run(trial, ShardPlan(shard: Shard("1/4")), in: "runs").folder)
    let overlap = #expect(throws: ArchiveError.self) { try StoredCheckpoint.united([half, quarter]) }
    #expect(overlap?.description.contains("overlap") == true)
    let nothing = #expect(throws: ArchiveError.self) { try StoredCheckpoint(in: folder) }
    #expect(nothing?.description == "checkpoint '\(folder)': found no run, expected the folder of one.")
    let done = try run(trial, in: "runs").folder
    let complete = #expect(throws: ArchiveError.self) { try StoredCheckpoint(in: done) }
    #expect(complete?.description == "checkpoint '\(done)': the run is complete, so there is nothing to continue.")
  }

  private func merged(_ trial: Trial, _ records: [Checkpoint.Record], in root: String) throws -> FinishedRun {
    var merge = ShardPlan()
    (merge.records, merge.isMerge) = (records, true)
    return try run(trial, merge, in: root)
  }

  @Test("Edge cases of shards are merged like others: one block, one of one, and the last of a run")
  func completeShards() throws {
    let trial = Trial(kind: "league.seasons", settings: "seasons: 50", samples: 50)
    let whole = try bytes(run(trial, in: "whole"))
    for division in [["1/2", "2/2"], ["1/1"]] {
      let shards = try division.map {
        try StoredCheckpoint(in: run(trial, ShardPlan(shard: Shard($0)), in: "runs").folder)
      }
      let result = try merged(trial, StoredCheckpoint.united(shards), in: "merged")
      #expect(try result.resumption == nil && bytes(result) == whole)
    }
  }

  @Test("A merge continues an earlier merge, and refuses to replace blocks that the shards lack")
  func mergeOverMore() throws {
    let trial = Trial(kind: "league.seasons", settings: "seasons: 12k", samples: 12_000)
    let (whole, scenario) = (try bytes(run(trial, in: "whole")), try scenario(trial))
    _ = try run(trial, in: "runs", maxSamples: 10_000)
    let index = try #require(StoredCheckpoint(of: scenario, below: "\(folder)/runs"))
    let first = try StoredCheckpoint(in: run(trial, ShardPlan(shard: Shard("1/3")), in: "runs").folder)
    let second = try StoredCheckpoint(in: run(trial, ShardPlan(shard: Shard("2/3")), in: "runs").folder)
    let overlap = #expect(throws: ArchiveError.self) { try StoredCheckpoint.united([first], over: index) }
    #expect(overlap?.description.contains("choose another folder with --runs") == true)
    // Shard by shard, each merge goes on with the one before.
    for shard in [second, first] {
      let earlier = StoredCheckpoint(of: scenario, below: "\(folder)/merged")
      let result = try merged(trial, StoredCheckpoint.united([shard], over: earlier), in: "merged")
      #expect(result.record.part == "merge" && result.resumption != nil)
    }
    let third = try StoredCheckpoint(in: run(trial, ShardPlan(shard: Shard("3/3")), in: "runs").folder)
    let earlier = StoredCheckpoint(of: scenario, below: "\(folder)/merged")
    #expect(try bytes(merged(trial, StoredCheckpoint.united([third], over: earlier), in: "merged")) == whole)
    let all = try StoredCheckpoint.united([first, second, third], over: index)
    #expect(try Set(all) == Set(StoredCheckpoint.united([first, second, third])))
  }

  @Test("The missing shards of a very fine division are listed in one line, immediately")
  func fineDivision() throws {
    let trial = Trial(kind: "league.seasons", settings: "seasons: 12k", samples: 12_000)
    let shard = try StoredCheckpoint(in: run(trial, ShardPlan(shard: Shard("3/1000000000")), in: "runs").folder)
    let result = try merged(trial, StoredCheckpoint.united([shard]), in: "merged")
    let open = try #require(result.open)
    let missing = try #require(StoredCheckpoint.missing(open, of: [shard]))
    #expect(missing.contains(" of shards 1-2, 4-") && missing.hasSuffix(" of 1000000000"), "\(missing)")
    #expect(Shard("1/1000000001") == nil)
  }

  /// A checkpoint of every shape of tally, each after few blocks: it is read again and again.
  static let forgeable = [
    Trial(kind: "blackjack.hand", settings: "cards: '10,6'\nupcard: 10\nrounds: 70k", samples: 70_000),
    Trial(kind: "league.seasons", settings: "seasons: 3k\nteams: 4\nweeks: 2", samples: 3_000),
    Trial(kind: "live.simulate", settings: "profiles: [lift]\nsessions: 300\nend: all", samples: 300),
    Trial(kind: "league.seasons", settings: "seasons: 1100\nteams: 4\nsweep: ['weeks=1,2']", samples: 2_200),
    Trial(kind: charts[0].kind, settings: charts[0].settings, samples: 400_000),
  ]

  @Test(
    "A checkpoint whose numbers and lists somebody changed is refused or played again, whatever the kind",
    arguments: forgeable)
  func forged(trial: Trial) throws {
    let stopped = try run(trial, in: "runs", maxSamples: trial.samples / 2)
    let path = "\(stopped.folder)/checkpoint"
    let lines = try TextFile.read(path).split(separator: "\n").map { $0.split(separator: " ", maxSplits: 1)[1] }
    func resume(_ lines: [Substring]) throws {
      let text = lines.map { "\(String(fnv1a($0.utf8), radix: 16)) \($0)\n" }.joined()
      try Data(text.utf8).write(to: URL(fileURLWithPath: path))
      var part = ShardPlan()
      part.records = try StoredCheckpoint(in: stopped.folder).records
      _ = try run(trial, part, in: "forged", maxSamples: trial.samples / 2)
    }
    let record = try #require(lines.dropFirst().first)
    for (old, new) in [("[", "[0,"), (",", ""), ("]", ",0]")] {
      guard let index = record.range(of: old, options: .backwards) else { continue }
      try resume([lines[0], Substring(record.replacingCharacters(in: index, with: new))])
    }
    // Numbers below nothing, and so large that sums overflow.
    let numbers = record.matches(of: #/-?\d+/#).dropFirst(3).map(\.range)
    let others = [-1, Int.max, Int.min, 1 << 62, 1 << 61]
    for (turn, index) in stride(from: 0, to: numbers.count, by: max(1, numbers.count / 10)).enumerated() {
      let forged = record.replacingCharacters(in: numbers[index], with: "\(others[turn % others.count])")
      try resume([lines[0], Substring(forged)] + lines.dropFirst(2).prefix(2))
    }
    #expect(throws: ArchiveError.self) {
      try resume([Substring(lines[0].dropLast() + ",\"shard\":\"1/0\"}"), record])
    }
  }

  @Test("A shard is given as its number and their count")
  func share() {
    #expect(Shard("3/64")?.description == "3/64")
    for wrong in ["0/4", "5/4", "1/0", "-1/4", "1", "a/b", "1/2/3", ""] { #expect(Shard(wrong) == nil, "\(wrong)") }
  }

  @Test("--shard auto takes the scheduler's shard and reports it")
  func schedulers() throws {
    func found(_ environment: [String: String], shards: String? = nil) throws -> String {
      let arguments = ["--shard", "auto"] + (shards.map { ["--shards", $0] } ?? [])
      let share = try ShardOptions.parse(arguments).read(environment)
      return "\(share?.shard.description ?? "") \(share?.source ?? "")"
    }
    let slurm = ["SLURM_ARRAY_TASK_ID": "7", "SLURM_ARRAY_TASK_COUNT": "4", "SLURM_ARRAY_TASK_MIN": "5"]
    #expect(try found(slurm) == "3/4 a Slurm array: SLURM_ARRAY_TASK_ID=7")
    #expect(try found(["JOB_COMPLETION_INDEX": "0", "JOB_COMPLETIONS": "2"]).hasPrefix("1/2 a Kubernetes"))
    #expect(try found(["PARALLEL_SEQ": "2"], shards: "2").hasPrefix("2/2 GNU parallel"))
    for wrong in [[:], ["PARALLEL_SEQ": "2"], ["JOB_COMPLETION_INDEX": "2", "JOB_COMPLETIONS": "2"]] {
      #expect(throws: CommandError.self) { try found(wrong) }
    }
  }
}
