// SPDX-License-Identifier: GPL-3.0-or-later
import BlackjackLab
import ClubLab
import ContrastLab
import ExperimentTestSupport
import FantasyLab
import Foundation
import LeagueLab
import LiveLab
import ProfileLab
import Reporting
import Scenarios
import Testing
import Workbench

@Suite("Every experiment")
struct EveryExperimentTests {
  /// Those that draw samples have the parameters of sampling.
  static let kinds =
    (Blackjack.experiments + Leagues.experiments + Clubs.experiments + LiveExperiments.experiments
    + Contrasts.experiments + Fantasy.experiments + Profiles.experiments).map {
      $0 is any SampledExperiment.Type || $0 is any RareEvent.Type ? $0.runnable : $0
    }

  /// Settings under which a kind is done in a moment, and a threshold that it decides.
  struct Trial: CustomTestStringConvertible, Sendable {
    let kind: String
    let yaml: String
    let threshold: String

    init(_ kind: String, _ yaml: String, _ threshold: String) {
      (self.kind, self.yaml, self.threshold) = (kind, yaml, threshold)
    }

    var testDescription: String { kind }

    func scenario() throws -> Scenario {
      try ExperimentTestSupport.scenario(kind, yaml + "\nthresholds: ['\(threshold)']", among: kinds)
    }
  }

  private static let example = "\(packageRoot.path)/Examples/contrast"
  private static let fantasy = "\(packageRoot.path)/Examples/fantasy"

  static let trials = [
    Trial("blackjack.chart", "rules: inf\nconfidence: 0.9\nindifference: 0.05", "chart.undecided == 0"),
    Trial("blackjack.play", "rules: inf\nrounds: 1e4", "ev <= 1 at 0.9"),
    Trial("blackjack.verify", "rules: inf\nconfidence: 0.9\nindifference: 0.05", "cells.wrong == 0"),
    Trial("blackjack.hand", "rules: inf\ncards: 'A,7'\nupcard: 9\nrounds: 2e4", "value[hit] <= 1 at 0.9"),
    Trial("blackjack.compare", "rules: inf\nwith: trainer\nchange: h17", "rule.worth[h17] <= 0"),
    Trial("blackjack.train", "rules: inf\nsessions: 300\nstudents: [perfect, learner]", "witness.outside == 0"),
    Trial("blackjack.count", "rules: 1d-cut50\nchart: trainer\nshoes: 5000", "win <= 1 at 0.9"),
    Trial("blackjack.bankroll", "bankroll: 10\nrounds: 50\ntrips: 200", "ruin.trip.exact <= 0.5"),
    Trial("blackjack.ruin", "bankroll: 40\nsamples: 100\nreplicas: 20", "probability.exact <= 0.02"),
    Trial(
      "blackjack.bets", "rules: 1d-cut50\nchart: trainer\nshoes: 2000\nspread: 4\nunit: 1\nbankroll: 1e6",
      "neighbours.better == 0"),
    Trial("blackjack.indices", "plays: [insurance]\nhalf-width: 1", "indices.wide == 0"),
    Trial("blackjack.effects", "rules: 1d-spl1\ncounts: [ko]", "correlation.betting[ko] >= 0.9"),
    Trial("blackjack.composition", "rules: 1d\ncards: 2", "exceptions >= 1"),
    Trial("league.seasons", "seasons: 100\nweeks: 2", "power.bestIsFirst[week 2] <= 99% at 0.9"),
    Trial("club.stress", "members: 300\nactivities: 20k\nweeks: 2", "stress.membersWrong == 0"),
    Trial(
      "club.feed", "club: {members: 4, weeks: 1}\nfaults: {renames: default}\nseasons: 2\nfetch: {every: 3h}",
      "feed.doubleCounts[any] == 0"),
    Trial("live.simulate", "profiles: [lift]\nsessions: 200\nend: all", "invariants.broken == 0"),
    Trial("live.storm", "clients: 1k\npolicies: [full-jitter, grpc]", "storm.missing == 0"),
    Trial("live.timeline", "profile: lift", "timeline.broken == 0"),
    Trial(
      "contrast.check", "tokens: \(example)/fixed.tokens.json\npairs: \(example)/apps.pairs", "contrast.failing == 0"),
    Trial("profile.edit", "events: 20\nsamples: 2k", "edit.lost <= 1% at 0.9"),
    Trial("profile.navigate", "samples: 2k", "steps.saved > 0 at 0.9"),
    Trial("profile.check", "map: flat", "map.offenders == 0"),
    Trial("fantasy.season", "seasons: 60\nteams: 2\nrounds: 6", "calibration.outside[captain] <= 10"),
    Trial(
      "fantasy.calibration", "forecasts: \(fantasy)/niamey-2016.csv\nprobability: EMOS\noutcome: obs",
      "calibration.outside == 0"),
    Trial("fantasy.prices", "games: \(fantasy)/games.csv", "prices.differ == 1"),
    Trial("fantasy.scores", "games: \(fantasy)/games.csv\nearlier: 1", "scores.forecasts[model] > 10"),
  ]

  @Test("every shipped scenario is valid and has thresholds")
  func shipped() throws {
    let folder = packageRoot.appendingPathComponent("Scenarios")
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".yaml") }
    let documents = try files.map { try ScenarioDocument(contentsOf: folder.appendingPathComponent($0).path) }
    for kind in Self.kinds {
      let own = try documents.filter { try $0.root.member("kind")?.string() == kind.kind }
      for document in own { #expect(try !Scenario(document, kinds: Self.kinds).thresholds.isEmpty) }
    }
  }

  @Test("every experiment is covered by these tests")
  func complete() { #expect(Self.trials.map(\.kind).sorted() == Self.kinds.map { $0.kind }.sorted()) }

  @Test("a resolved scenario states every default and reads back as the same scenario", arguments: trials)
  func resolved(trial: Trial) throws {
    var scenarios = [try trial.scenario()]
    let given = [
      "blackjack.hand", "blackjack.compare", "live.timeline", "contrast.check", "fantasy.calibration", "fantasy.prices",
      "fantasy.scores", "profile.check",
    ]
    if !given.contains(trial.kind) {
      scenarios.append(try scenario(trial.kind, among: Self.kinds))
    }
    for first in scenarios {
      let again = try again(first, among: Self.kinds)
      #expect(again.plan.settings == first.plan.settings && again.plan.measures == first.plan.measures)
    }
  }

  @Test(
    "the example of a parameter is read alike from an option and from a file, and sets nothing else",
    arguments: kinds.indices)
  func examples(index: Int) throws { try examples(of: Self.kinds[index]) }

  private func examples<E: Experiment>(of type: E.Type) throws {
    for parameter in E.parameters where !parameter.example.isEmpty {
      let field = try ScenarioDocument(yaml: "it: \(parameter.example)", file: "test.yaml").root.member("it")
      // A text in quotes is typed without them.
      let typed = (try? field?.string()) ?? parameter.example
      let fields = [ScenarioField(option: "--it", [typed]), try #require(field)]
      let read = fields.map { field -> (settings: [String: JSONValue], refusal: Substring) in
        var experiment = E()
        do {
          try parameter.read(&experiment, field)
        } catch {
          // A file's name is from the scenario's folder on; this one lies in the working folder.
          let problem = "\(error)".replacing(FileManager.default.currentDirectoryPath + "/", with: "")
          return ([:], problem.drop { $0 != "f" })
        }
        return (Dictionary(uniqueKeysWithValues: E.parameters.map { ($0.key, $0.write(experiment) ?? .null) }), "")
      }
      #expect(read[0] == read[1], "\(E.kind), \(parameter.key)")
      guard read[0].refusal.isEmpty else { continue }
      let (before, after) = (E(), read[0].settings)
      for other in E.parameters where other.key != parameter.key {
        if let value = other.write(before), after[other.key] != .null {
          #expect(value == after[other.key], "\(E.kind), \(parameter.key) sets \(other.key)")
        }
      }
    }
  }

  @Test("every number of workers gives the same declared measures in the same order", arguments: trials)
  func measured(trial: Trial) throws {
    let scenario = try trial.scenario()
    let (result, other) = (
      try scenario.plan.run(on: RunContext(workers: 1)), try scenario.plan.run(on: RunContext(workers: 3))
    )
    #expect(result.measurements == other.measurements && result.data == other.data)
    #expect(result.document == other.document)
    let (measures, found) = (scenario.plan.measures, result.measurements.map(\.measure))
    #expect(result.isComplete && Set(measures.map(\.fullName)).count == measures.count)
    #expect(measures.filter(Set(found).contains) == found)
    // Of these some need samples that none showed: outages by a fault, rides of a variant; a student who learns has no
    // chart that could be compared; few shoes have no extreme counts, and a bankroll without a goal does not reach it.
    if ![
      "live.simulate", "club.feed", "blackjack.train", "blackjack.count", "blackjack.bets", "blackjack.bankroll",
    ].contains(trial.kind) {
      #expect(Set(found) == Set(measures))
    }
    #expect(scenario.evaluated(by: result.measurements).allSatisfy { $0.verdict == .holds })
  }

  @Test("an interruption before the first sample leaves an incomplete result without a verdict", arguments: trials)
  func interrupted(trial: Trial) throws {
    let scenario = try trial.scenario()
    let result = try scenario.plan.run(on: .interrupted)
    // A single session is played in a moment.
    if trial.kind == "live.timeline" { return }
    #expect(!result.isComplete)
    #expect(scenario.evaluated(by: result.measurements).allSatisfy { $0.verdict == .undecided })
  }
}
