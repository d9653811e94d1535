// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import TestSupport
import Testing

@Suite("A command is an unnamed scenario, a scenario is a saved command")
struct ExperimentCommandTests {
  private static let contrast = "\(packageRoot.path)/Examples/contrast"

  static let small = [
    "blackjack chart --method exact", "blackjack play --rounds 1e4",
    "blackjack verify --confidence 0.9 --indifference 0.05", "blackjack hand A,7 9 --rounds 2e4",
    "blackjack compare --rules inf --with trainer --change h17",
    "blackjack students --rules inf --sessions 20 --students perfect hits-12",
    "blackjack count --rules 1d-cut50 --chart trainer --shoes 50",
    "blackjack bets --rules 1d-cut50 --chart trainer --shoes 2000 --unit 1 --bankroll 1e6",
    "blackjack indices --plays insurance --half-width 1",
    "blackjack bankroll --bankroll 10 --rounds 50 --trips 100",
    "blackjack ruin --bankroll 20 --rounds 50 --samples 20 --replicas 10",
    "blackjack effects --rules 1d-spl1 --counts ko",
    "blackjack composition --rules 1d --cards 2",
    "club stress --members 300 --activities 20k --weeks 2", "club feed --members 4 --weeks 1 --seasons 2",
    "league seasons --seasons 100 --weeks 2", "live simulate lift --sessions 200", "live storm --clients 1k",
    "live timeline lift", "contrast check \(contrast)/fixed.tokens.json --pairs \(contrast)/apps.pairs",
    "profile edit --samples 200", "profile navigate --samples 200", "profile check flat",
    "fantasy season --seasons 40 --teams 2", "fantasy prices \(contrast)/../fantasy/games.csv",
    "fantasy scores \(contrast)/../fantasy/games.csv --earlier 1",
    "fantasy calibration \(contrast)/../fantasy/niamey-2016.csv --probability EMOS --outcome obs",
    "properties check live.5 --cases 10 --store none", "properties mutants live.5",
    "calibrate --methods proportion --repeats 200",
  ]

  /// What a run's folder says of its result, without what it is called.
  private func result(in runs: URL) throws -> NSDictionary {
    let name = try #require(try FileManager.default.contentsOfDirectory(atPath: runs.path).first)
    let file = runs.appendingPathComponent(name).appendingPathComponent("result.json")
    var result = try #require(try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any])
    var scenario = try #require(result["scenario"] as? [String: Any])
    scenario["slug"] = nil
    result["scenario"] = scenario
    return result as NSDictionary
  }

  @Test("the scenario that --save writes gives the result that --report keeps", arguments: small)
  func doors(typed: String) throws {
    let folder = try TemporaryFolder()
    let command = try AssayProcess(typed + " --report --save saved.yaml --no-history", in: folder.url)
    let run = try AssayProcess("run saved.yaml --runs again --no-history", in: folder.url)
    #expect(command.status == run.status)
    let one = try result(in: folder.url.appendingPathComponent("Results/runs"))
    let other = try result(in: folder.url.appendingPathComponent("again"))
    #expect(one == other)
  }

  @Test(
    "any number of workers gives the same bytes, which another seed changes",
    arguments: [
      "blackjack play --rules 6d-s17-das --rounds 2e5 --seed 11",
      "live storm --clients 40k --capacity 2000/s --policy full-jitter grpc --seed 3",
    ])
  func workers(typed: String) throws {
    func written(_ typed: String) throws -> [String] {
      let folder = try TemporaryFolder()
      let process = try AssayProcess(typed + " --quiet -o out.json -o out.csv", in: folder.url)
      #expect(process.status == 0, "\(process.remarks)")
      return try ["out.json", "out.csv"].map {
        try String(contentsOf: folder.url.appendingPathComponent($0), encoding: .utf8)
      }
    }
    let one = try written(typed + " --jobs 1")
    #expect(try written(typed + " --jobs 3") == one)
    // The CSV does not say which seed it is of.
    #expect(try written(typed.replacing("--seed ", with: "--seed 9")).last != one.last)
  }

  @Test(
    "Ctrl-C ends with 130, with what is known so far, and with the command to begin again",
    arguments: [
      "blackjack play --rounds 1e12", "club stress --activities 5G --weeks 100", "league seasons --seasons 1e10",
      "live simulate --sessions 500M --end all", "live storm --clients 10M --capacity 5000/s",
    ])
  func interrupted(typed: String) throws {
    let process = try AssayProcess(typed + " --jobs 1 --verbose", interruptedBy: typed)
    #expect(process.status == 130)
    #expect(process.remarks.contains("Interrupted"))
    #expect(process.remarks.hasSuffix("reproduce: assay \(typed)\n"))
  }

  @Test("every kind has a command above, a reference, and a new scenario that is valid")
  func kinds() throws {
    let folder = try TemporaryFolder()
    let rows = try AssayProcess("scenario kinds --format csv").output.split(separator: "\n").dropFirst().map {
      $0.split(separator: ",").map(String.init)
    }
    #expect(rows.count == Self.small.count)
    for row in rows {
      let (kind, command) = (row[0], row[1])
      #expect(Self.small.contains { "assay \($0) ".hasPrefix(command + " ") }, "\(command)")
      let keys = try AssayProcess("scenario keys \(kind)")
      #expect(keys.status == 0 && keys.output.contains("name") && keys.output.contains("Measures for thresholds"))
      let template = try AssayProcess("scenario new \(kind)").output
      #expect(!template.contains("offered by completion") && template.split(separator: "\n").count < 100, "\(kind)")
      _ = try folder.write(template, as: "new.yaml")
      let check = try AssayProcess("scenario check new.yaml", in: folder.url)
      #expect(check.status == 0 && check.output.hasPrefix("new.yaml: \(kind), "), "\(check.remarks)")
    }
  }

  @Test("units, seeds and durations are read alike from options, files and --set")
  func units() throws {
    let folder = try TemporaryFolder()
    _ = try folder.write(
      """
      name: live.storm
      kind: live.storm
      clients: 1k
      capacity: 300k/m
      outage: 1h30m
      random: {seed: 18446744073709551615}

      """, as: "file.yaml")
    _ = try folder.write("name: live.storm\nkind: live.storm\n", as: "set.yaml")
    let runs = try [
      "live storm --clients 1k --capacity 300k/m --outage 1h30m --seed 18446744073709551615 --report --no-history",
      "run file.yaml --runs file --no-history",
      "run set.yaml --set clients=1k --set capacity=300k/m --set outage=1h30m --set "
        + "random.seed=18446744073709551615 --runs set --no-history",
    ].map { try AssayProcess($0, in: folder.url) }
    #expect(runs.allSatisfy { $0.status == 0 }, "\(runs.map(\.remarks))")
    let results = try ["Results/runs", "file", "set"].map { try result(in: folder.url.appendingPathComponent($0)) }
    #expect(results[0] == results[1] && results[0] == results[2])
  }

  @Test("--threshold decides the exit code and may be repeated")
  func thresholds() throws {
    let typed = "live storm --clients 1k --policy full-jitter"
    #expect(try AssayProcess(typed, ["--threshold", "storm.missing == 0"]).status == 0)
    let process = try AssayProcess(
      typed, ["--threshold", "storm.missing == 0", "--threshold", "storm.peak[full-jitter] <= 1"])
    #expect(process.status == 1)
    #expect(process.output.contains(#/\nholds +storm.missing\[full-jitter\] == 0 /#))
    #expect(process.output.contains(#/\nfails +storm.peak\[full-jitter\] <= 1 /#))
  }

  @Test("a threshold can refer to an earlier run by folder or by name")
  func baseline() throws {
    let folder = try TemporaryFolder()
    let typed = "live storm --clients 1k --policy full-jitter --report"
    #expect(try AssayProcess(typed, in: folder.url).status == 0)
    let index = try #require(
      try FileManager.default.contentsOfDirectory(atPath: folder.url.path + "/Results/runs").first)
    let same = ["--threshold", "storm.back95 <= baseline + 5%"]
    #expect(try AssayProcess(typed + " --baseline Results/runs/\(index)", same, in: folder.url).status == 0)
    #expect(try AssayProcess(typed + " --baseline live-storm", same, in: folder.url).status == 0)
    let more = ["--threshold", "storm.attempts <= baseline - 5%"]
    let process = try AssayProcess(typed + " --seed 2 --baseline live-storm", more, in: folder.url)
    #expect(process.status == 1 && process.output.contains("in the baseline"), "\(process.remarks)")
  }

  @Test("scenario check reports every error of every file in a folder, in reading order")
  func everyError() throws {
    let folder = try TemporaryFolder([
      "a.yaml": """
      kind: live.storm
      clientz: 1k
      clients: 20M
      random: {seed: x, sead: 1}
      thresholds:
        - storm.peak[grpc] <=
        - storm.peek <= 4

      """,
      "b.yaml": "name: b\nkind: live.simulate\nsessions: 1k\nthresholds:\n  - nope <= 4\n  - no.more <= 5\n",
      "c.yaml": "name: c\nkind: live.storm\n",
    ])
    for command in ["scenario check", "run"] {
      let process = try AssayProcess("\(command) .", in: folder.url)
      #expect(process.status == 2 && process.output.isEmpty)
      let indices = process.remarks.split(separator: "\n").map { line in
        line.trimmingPrefix("error: ./").split(separator: ":").prefix(3).joined(separator: ":")
      }
      #expect(
        indices == [
          "a.yaml:2: clientz", "a.yaml:4: random.sead", "a.yaml:3: clients", "a.yaml:4: random.seed", "a.yaml:1: name",
          "a.yaml:6: thresholds[1]", "b.yaml:5: thresholds[1]", "b.yaml:6: thresholds[2]",
        ], "\(process.remarks)")
    }
    let typed = try AssayProcess("live storm --clients 20M --outage 5")
    #expect(typed.status == 2 && typed.remarks.split(separator: "\n").count == 2, "\(typed.remarks)")
  }

  @Test("run --threshold adds a threshold to the scenario")
  func moreThresholds() throws {
    let folder = try TemporaryFolder(["s.yaml": ScenarioText.holds])
    let process = try AssayProcess("run s.yaml --no-history --threshold", ["ev >= 0", "--jobs", "1"], in: folder.url)
    #expect(process.status == 1 && process.output.contains(/\nfails +ev\[.*\] >= 0/), "\(process.output)")
    #expect(process.output.contains(/\nholds +ev\[.*\] in -0.01..0/))
    #expect(process.remarks.contains("reproduce: assay run s.yaml --threshold 'ev >= 0' --jobs 1 --no-history"))
    let path = try #require(process.output.firstMatch(of: /\nfolder: ([^\n]+)\n/)?.1)
    let kept = try AssayProcess("run \(path)/scenario.yaml --no-history", in: folder.url)
    #expect(kept.status == 1)
    try AssayProcess("run s.yaml --threshold", ["nope >= 0"], in: folder.url).expectRefusal(
      "--threshold: found 'nope', which is not measured")
  }

  @Test(
    "what is wrong is refused by either door, with the cure",
    arguments: [
      ("live storm --clientz 4", 64, "did you mean '--clients'?"),
      ("live storm --clients 20M", 2, "--clients: found '20M', expected a whole number, 1 to 10,000,000."),
      ("live storm --retry-after 5s", 2, "retry-after"),
      ("live storm --policy grpc --policy grpc", 2, "--policy: found 'grpc', expected each value once."),
      ("live simulate tunnle", 2, "<profile>: found 'tunnle', expected one of lift, tunnel, commute"),
      ("live storm --clients 1k --save there.yaml", 2, "--save: found 'there.yaml', expected a file that does not"),
      ("live storm --clients 1k --baseline live-storm", 2, "Results/history.sqlite"),
      ("run there.yaml --set clientz=4", 2, "--set clientz: unknown key; did you mean 'clients'?"),
      ("run there.yaml --set clients=20M", 2, "--set clients: found '20M', expected a whole number, 1 to 10,000,000."),
      ("run there.yaml --set clients", 2, "--set"),
      ("run there.yaml --history .", 2, "it is a folder"),
      ("run there.yaml --history h.sqlite --no-history", 2, "found 'h.sqlite', expected no --no-history beside it"),
      ("scenario keys live.strom", 2, "did you mean 'live.storm'?"),
      ("scenario schema nope", 2, "<kind>: found 'nope', expected one of blackjack.chart"),
      ("scenario check misspelt.yaml", 2, "misspelt.yaml:3: clientz: unknown key; did you mean 'clients'?"),
      ("scenario check former.yaml", 2, "former.yaml:2: kind: found 'blackjack-chart'"),
      ("run former.yaml", 2, "did you mean 'blackjack.chart'?"),
    ])
  func badInput(typed: String, status: Int32, cure: String) throws {
    let folder = try TemporaryFolder([
      "there.yaml": "name: a\nkind: live.storm\nclients: 1k\n",
      "misspelt.yaml": "name: a\nkind: live.storm\nclientz: 1k\n", "former.yaml": "name: a\nkind: blackjack-chart\n",
    ])
    let process = try AssayProcess(typed, in: folder.url)
    #expect(process.status == status && process.remarks.contains(cure), "\(process.status): \(process.remarks)")
    #expect(try folder.names() == ["former.yaml", "misspelt.yaml", "there.yaml"], "nothing is written")
  }
}
