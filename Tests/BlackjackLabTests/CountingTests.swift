// SPDX-License-Identifier: GPL-3.0-or-later
import BlackjackCore
import ExperimentTestSupport
import Foundation
import MonteCarlo
import Randomness
import Reporting
import Scenarios
import Testing

@testable import BlackjackLab

@Suite("Counts as data")
struct CountingSystemTests {
  @Test("five of the built-in counts are balanced, and their decks sum to 0")
  func balanced() {
    #expect(CountingSystem.all.filter { !$0.isBalanced }.map(\.name) == ["ko", "red-seven"])
    #expect(CountingSystem.all.filter { !$0.isBalanced }.map(\.sumOfDeck) == [4, 2])
  }

  @Test(
    "a file with a wrong line is refused with the line, the field and what was expected",
    arguments: [
      ("A,-1\n2,x", "line 2, 2: found 'x', expected whole or half points, -4 to 4."),
      ("A,-1\nA,-1", "line 2, card: found A a second time, expected each card once."),
      (
        "A,0x1",
        "line 1, A: found '0x1', expected whole or half points, -4 to 4, in decimal digits and not hexadecimal."
      ),
      ("card,tag\nA", "line 2, row: found 1 value, expected 2, one for each column of the heading."),
      ("11,1", "line 1, card: found '11', expected A, 2 to 10, or one such as 7 red."),
      ("A,-1", "card: found 2 missing, expected a tag of A and each of 2 to 10."),
      (
        "balanced,yes\nA,-1\n2,1\n3,1\n4,1\n5,1\n6,1\n7,1\n8,0\n9,0\n10,-1",
        "line 1, balanced: found yes, expected no: the tags of a deck sum to 4."
      ),
    ])
  func refused(csv: String, expected: String) {
    #expect { try CountingSystem(csv: csv, name: "mine") } throws: { "\($0)" == expected }
  }

  @Test("a file with Hi-Lo's tags is Hi-Lo")
  func read() throws {
    let lines = CardValue.allCases.map { "\($0),\(CountingSystem.hiLo.tag(of: $0))" }
    let mine = try CountingSystem(csv: (["balanced,yes"] + lines).joined(separator: "\n"), name: "hi-lo")
    #expect(mine == .hiLo)
    let halves = try #require(CountingSystem.all.first { $0.name == "halves" })
    let tags = CardValue.allCases.map { "\($0);" + "\(halves.tag(of: $0))".replacing(".", with: ",") }
    let text = "\u{FEFF}" + (["card;tag", "balanced;yes"] + tags + [";"]).joined(separator: "\r\n")
    #expect(try CountingSystem(csv: text, name: "halves") == halves)
  }

  @Test("a ramp reports where its bets fall and where it has gaps")
  func ramp() throws {
    let ramp = try BetRamp([(0, 1), (1, 4), (3, 2)])
    let falls = "the bet falls from 4 to 2 at 3"
    #expect(ramp.doubts(ofRunningCount: false) == [falls, "no step between 1 and 3: 4 stays"])
    #expect(ramp.doubts(ofRunningCount: true) == [falls])
    #expect([-5, 0.5, 1, 2.9, 3, 9].map { ramp.bet(at: $0) } == [1, 1, 4, 4, 2, 2])
    #expect(throws: BlackjackError.self) { try BetRamp([(0, 0)]) }
  }

  @Test("decks left are rounded to halves and wholes, at least one of them")
  func reading() {
    let (half, whole) = (CountReading(.half, .floor), CountReading(.whole, .floor))
    #expect(half.value(running: 12, unseen: 156) == 2)
    #expect(half.value(running: 6, unseen: 3) == 6)
    #expect(whole.value(running: 12, unseen: 130) == 2)
    #expect(CountReading(.exact, .truncate).value(running: -3, unseen: 52) == -1)
    #expect(CountReading(.exact, .floor).value(running: -3, unseen: 52) == -2)
  }
}

@Suite("Counting agrees with other analysers")
struct CountTheoryTests {
  @Test("effects of removal are those of an independent analyser, and their mean is 0", arguments: [1, 6])
  func effects(decks: Int) throws {
    for soft17 in ["S17", "H17"] {
      let effects = try RemovalEffects(rules: Rules(name: "\(decks)d-\(soft17.lowercased())-spl1"))
      #expect(abs(RemovalEffects.weightedSum(effects.fixed)) < 1e-12)
      let rows = try ExactFixture("effects_of_removal").rows
        .filter { $0["decks"] == "\(decks)" && $0["soft17"] == soft17 }
      for row in rows {
        guard let card = CardValue(row["card_removed"] ?? "") else { continue }
        let (best, fixed) = (
          try #require(row.number("eor_pct_strategy_reoptimised")),
          try #require(row.number("eor_pct_full_shoe_strategy"))
        )
        // Theirs is played by the cards held, ours by the chart.
        #expect(abs(effects.fixed[card.index] * 100 - fixed) < (decks == 1 ? 0.05 : 0.006), "\(card)")
        #expect(abs(effects.best[card.index] * 100 - best) < (decks == 1 ? 0.005 : 0.0005), "\(card)")
        #expect(abs(effects.insurance[card.index] * 100 - (row.number("insurance_eor_pct") ?? .nan)) < 1e-5)
      }
      #expect(rows.count == 11)
      guard decks == 6 else { continue }
      #expect((0.96...0.97).contains(RemovalEffects.correlation(effects.fixed, .hiLo)))
      #expect((0.0050...0.0053).contains(RemovalEffects.slope(effects.fixed, .hiLo, decks: 6)))
    }
  }

  @Test("the exact analyser confirms all published exceptions of two and three cards")
  func exceptions() throws {
    var analyses: [String: ExactAnalysis] = [:]
    let rows = try ExactFixture("composition_exceptions_two_three_cards").rows
    #expect(rows.count == 47)
    for row in rows {
      let name = "\(row["decks"] ?? "")d-\(row["soft17"]?.lowercased() ?? "")-ls"
      let analysis = try analyses[name] ?? ExactAnalysis(rules: Rules(name: name))
      analyses[name] = analysis
      let cards = try (row["cards"] ?? "").split(separator: "+").map { try #require(CardValue($0)) }
      let values = analysis.outlook(of: cards, against: try row.card("dealer_up")).values
      let words = (row["play"] ?? "").split(separator: " ")
      let action = try #require(words.first.flatMap { Action(letter: $0) })
      let others: [Action] =
        words.count > 1 ? [try #require(Action(letter: words[2]))] : [.stand, .hit].filter { $0 != action }
      for other in others { #expect((values[action] ?? -9) > (values[other] ?? -9), "\(row)") }
    }
  }

  @Test("hands that are played by their cards are listed, each with a gain and a chance")
  func composition() throws {
    let lines = try #require(try outcome("composition", "rules: 1d-s17\ncards: 3").result.document.csv)
    for hand in [#""2,10",4,stand,hit,0."#, #""4,8",3,hit,stand,0."#, #""5,5,5",10,hit,stand,0."#] {
      #expect(lines.contains(hand), "\(lines)")
    }
    #expect(!lines.contains(",-"))
  }
}

@Suite("Ruin")
struct RuinTests {
  private static func wins(_ natural: String) throws -> WinDistribution {
    let analysis = try ExactAnalysis(rules: Rules(name: "6d-spl1-\(natural)"), following: .trainer)
    return WinDistribution((ExactPayoffs(of: analysis).distribution ?? []).map { ($0.tenths, $0.probability) })
  }

  @Test("on trips equals an independent walk's, and the formula equals the table's")
  func trips() throws {
    let all = ["bj32": try Self.wins("bj32"), "bj21": try Self.wins("bj21")]
    let rows = try ExactFixture("trip_ruin_exact").rows
    #expect(rows.count == 42)
    for row in rows {
      let wins = try #require(all[row["game"]?.contains("2:1") == true ? "bj21" : "bj32"])
      let (bankroll, rounds) = (row.number("bankroll_units") ?? 0, Int(row.number("rounds") ?? 0))
      // The walks of thousands of rounds take a debug build too long.
      guard rounds <= 500 else { continue }
      let trip = try #require(wins.trip(bankroll: bankroll, rounds: rounds))
      #expect(abs(trip.ruin - (row.number("exact_prob_ruin") ?? .nan)) < 1e-8, "\(bankroll), \(rounds)")
      let formula = RuinFormula.trip(bankroll, rounds: rounds, mean: wins.mean, variance: wins.variance)
      #expect(abs(formula - (row.number("barrier_formula") ?? .nan)) < 1e-6)
    }
  }

  @Test("for ever equals a linear system's, and each formula equals the table's")
  func ever() throws {
    let wins = try Self.wins("bj21")
    for row in try ExactFixture("infinite_ruin_exact").rows {
      let bankroll = row.number("bankroll_units") ?? 0
      let (mean, variance) = (wins.mean, wins.variance)
      let found = [
        try #require(wins.ruin(bankroll: bankroll)), exp(-(try #require(wins.exponent)) * bankroll),
        RuinFormula.ever(bankroll, mean: mean, variance: variance),
        RuinFormula.coin(bankroll, mean: mean, variance: variance),
      ]
      let names = ["exact", "exp_minus_theta_B", "exp_minus_2muB_over_var", "coin_formula"]
      for (value, name) in zip(found, names) { #expect(abs(value - (row.number(name) ?? .nan)) < 1e-7, "\(name)") }
    }
  }

  @Test("before a goal is 8.86% in Hall's example of 1991, as it was recomputed, and not 9.0%")
  func hall() throws {
    var run = BankrollExperiment()
    (run.win, run.deviation, run.bankroll, run.goal) = (0.0151, (3.887 - 0.0151 * 0.0151).squareRoot(), 300, 600)
    let size = 3.887.squareRoot()
    let odds = (0.5 + 0.0151 / (2 * size)) / (0.5 - 0.0151 / (2 * size))
    let hall = (1 - pow(odds, 300 / size)) / (1 - pow(odds, 600 / size))
    #expect(abs(hall - 0.0885966) < 1e-6)
    let exact = try #require(try run.distribution().ruin(bankroll: 300, before: 600))
    #expect(abs(exact - hall) < 0.002)
  }

  @Test("simulated trips agree with the walk at their confidence")
  func simulated() throws {
    let (result, found) = try outcome("bankroll", "bankroll: 20\nrounds: 100\ntrips: 4000")
    let interval = try result.measurement("ruin.trip").interval(at: 0.999)
    #expect(interval.contains(found["ruin.trip.exact"] ?? .nan))
  }

  @Test("an even game has the ruin of a fair walk, and neither N0 nor a bet by Kelly")
  func even() throws {
    let settings = "win: 0\ndeviation: 1.15\nbankroll: 100\ngoal: 200\nrounds: 1000\ntrips: 100"
    let found = try outcome("bankroll", settings).found
    // The walk has steps of 1.2 units, of which 84 lead to ruin and 83 to the goal.
    #expect(found["ruin.goal.formula"] == 0.5 && found["ruin.goal.exact"].map { abs($0 - 83.0 / 167) < 1e-9 } == true)
    #expect(found["ruin.ever.exact"] == 1 && found["ruin.ever.formula"] == 1 && found["ruin.ever.coin"] == 1)
    #expect(found["ruin.trip.formula"].map { $0 > 0 && $0 < 0.1 } == true)
    #expect(["n0", "kelly", "bankroll.wanted", "ruin.ever.lundberg"].allSatisfy { found[$0] == nil })
  }

  @Test("a goal that is reached already is refused")
  func refused() {
    #expect(refusal("bankroll", "win: 0.1\ndeviation: 1\ngoal: 50").contains("more than the bankroll of 100"))
  }
}

@Suite("Counted shoes")
struct CountExperimentTests {
  private static func run(_ name: String, _ change: (inout CountExperiment) throws -> Void = { _ in }) throws
    -> CountExperiment
  {
    var run = CountExperiment()
    run.rules = NamedRules(label: name, rules: try Rules(name: name))
    run.chart = .own("trainer", .trainer)
    try change(&run)
    try run.prepare(on: RunContext(workers: 1))
    return run
  }

  @Test("earn with three hands and flat bets what their first bets earn at each count")
  func byCount() throws {
    let run = try Self.run("6d-cut75") { ($0.hands, $0.ramp) = (3, try BetRamp([(0, 1)])) }
    var (tally, kernel) = (run.tally(), try run.scratch(generator: "mt19937"))
    let streams = try StreamFamily(rootSeed: 1, experiments: CountExperiment.streams)
    try run.draw(SampleBatch(0, 0..<300, streams), &kernel, into: &tally)
    let rows = (tally.counts.lowerBound - 1...tally.counts.upperBound + 1).compactMap { tally.row(at: $0, hands: 3) }
    let edge = tally.mean(.win) / tally.mean(.bet) / 10
    #expect(abs(rows.reduce(0) { $0 + $1.edge * $1.share } - edge) < 1e-12)
  }

  @Test("by a running count have a row for every count that occurs, and one for each tail, with all rounds together")
  func running() throws {
    let result = try outcome("count", "rules: 6d-s17-das-cut75\ncount: ko\nchart: trainer\nshoes: 3000").result
    let shares = result.measurements.filter { $0.measure.name == "share.count" }
    #expect(abs(shares.reduce(0) { $0 + $1.estimate } - 1) < 1e-12)
    func share(_ counts: (Int) -> Bool) -> Double {
      shares.filter { $0.measure.label.flatMap { Int($0) }.map(counts) == true }.reduce(0) { $0 + $1.estimate }
    }
    // Of 17 million rounds that another program played, 56.1% began at -11 and below, 43.0% from -10 to 10.
    #expect(abs(share { $0 <= -11 } - 0.561) < 0.02 && abs(share { abs($0) <= 10 } - 0.43) < 0.02)
    let labels = shares.compactMap(\.measure.label)
    #expect(labels.first == "below" && labels.last == "above" && labels.contains("-20"))
    #expect(shares.filter { ["below", "above"].contains($0.measure.label ?? "") }.allSatisfy { $0.estimate < 5e-4 })
    let text = result.document.text(width: 200).replacing("\n", with: " ")
    #expect(text.contains("by the running count, which starts at -20: 0: 1,"), "\(text)")
    #expect(text.contains("'below' has the counts under -"), "\(text)")
  }

  @Test("with two hands from a count on bet two units there, and say what an hour wins")
  func spots() throws {
    let yaml = "rules: 6d-cut75\nchart: trainer\nramp: ['0:1']\nshoes: 400\nhands: 1 2:2\nrounds-per-hour: 80"
    let (result, found) = try outcome("count", yaml)
    let high = result.measurements.filter { one in
      guard one.measure.name == "share.count", let label = one.measure.label else { return false }
      return label == "above" || (Int(label) ?? -99) >= 2
    }
    let bet = try #require(found["bet"])
    #expect(high.count > 3 && abs(bet - 1 - high.reduce(0) { $0 + $1.estimate }) < 1e-12)
    #expect(abs(try #require(found["win.hour"]) - 80 * (found["win"] ?? .nan)) < 1e-9)
    #expect(result.document.text(width: 200).contains("1 hand, 2 from 2 and 0 of others"))
  }

  @Test("earn with a fresh shoe what the analyser computes, and begin each round at a count of 0")
  func fresh() throws {
    let result = try outcome("count", "rules: 6d\nchart: trainer\nramp: ['0:1']\nshoes: 20k").result
    #expect(try result.measurement("win").interval(at: 0.9999).contains(exactEV("6d")))
    #expect(result.measurements.filter { $0.measure.name == "share.count" }.map(\.measure.label) == ["0"])
  }

  @Test("have narrower differences by common random numbers than two runs would")
  func paired() throws {
    let yaml = "rules: 6d-ls-cut75\nchart: trainer\nshoes: 300\nversus: "
    let result = try outcome("count", yaml + "indices=classic").result
    func width(_ name: String) throws -> Double {
      let interval = try result.measurement(name).interval(at: 0.99)
      return interval.upperBound - interval.lowerBound
    }
    // The difference of two runs of their own would be wider than one of them by the root of two.
    #expect(try width("win.difference[indices=classic]") < 0.8 * 2.0.squareRoot() * width("win"))
    let same = try outcome("count", yaml + "hands=1").result.measurements
    let differences = same.filter { $0.measure.name.hasSuffix(".difference") && $0.measure.kind == .mean }
    #expect(differences.count == 9 && differences.allSatisfy { $0.estimate == 0 })
  }

  @Test("end when their thresholds are decided, and each interval has its part of the error")
  func ending() throws {
    let yaml = "rules: 1d-cut50\nchart: trainer\nshoes: 100k\n"
    let early = try scenario("blackjack.count", yaml + "thresholds: [win <= 0.1 at 0.99]", among: Blackjack.kinds)
    let found = try early.run(on: RunContext(workers: 2)).measurements
    #expect(early.evaluated(by: found).map(\.verdict) == [.holds])
    let shoes = Int(try #require(found.first { $0.measure.name == "shoes" }).estimate)
    #expect(shoes < 100_000 && shoes.isMultiple(of: 4_096))
    let all = try outcome("count", yaml.replacing("100k", with: "\(shoes)")).result
    func score(_ all: [Scenarios.Measurement]) throws -> ClosedRange<Double> {
      try #require(all.first { $0.measure.name == "score" }).interval(at: 0.999)
    }
    #expect(try score(found).upperBound > score(all.measurements).upperBound)
  }

  @Test(
    "refuse what cannot be played, and name it",
    arguments: [
      ("rules: inf", "rules: found 'inf', expected 1 to 8 decks"), ("hands: 7\nothers: 1", "at most 7 hands"),
      ("rules: 6d-cut75\ncards: 311", "cards: found '311', expected a cut card behind at most"),
      ("enter: 1", "1 to 6 others with it"),
      ("rules: 6d-h17-cut75\nindices: classic", "published lists are for S17"),
      ("count: ko\ndivision: exact", "none: an unbalanced count is read as it runs"),
      ("hands: 8", "hands: found '8', expected 1 to 7 hands, or hands by count such as 1 2:2"),
      ("hands: ['1', '2:8']", "expected 1 to 7 hands, or hands by count such as 1 2:2"),
      ("hands: 1 2.5:2", "counts whole and ascending"), ("hands: 1 3:2 2:3", "counts whole and ascending"),
      ("hands: 1 2:4\nothers: 4", "at most 7 hands"),
      ("rounds-per-hour: 0", "rounds-per-hour: found '0', expected a whole number, 1 to 10,000"),
    ])
  func refused(yaml: String, problem: String) {
    let text = refusal("count", yaml)
    #expect(text.contains(problem), "\(text)")
  }
}

@Suite("Indices")
struct IndexExperimentTests {
  @Test("of insurance include the exact ones at the depths that were sampled")
  func insurance() throws {
    let result = try outcome("indices", "plays: insurance\nhalf-width: 0.2").result
    let interval = try result.measurement("index[insurance]").interval(at: 0.99)
    #expect(interval.upperBound - interval.lowerBound < 0.5)
    // Exactly 3.34 after 31 cards, 3.06 after 78, 3.01 after 156, 3.03 after 234.
    #expect(interval.lowerBound < 3.3 && interval.upperBound > 2.95)
  }

  @Test("of a straight line are its zero, within Fieller's interval")
  func line() {
    var tally = LineTally()
    for position in 0..<400 {
      let x = Double(position % 20) / 10 - 0.95
      tally.add(x, 0.02 * (x - 0.3) + (position / 20 % 2 == 0 ? 0.01 : -0.01))
    }
    let line = tally.crossing(quantile: 3)
    #expect(abs(line.root - 0.3) < 1e-9 && abs(line.slope - 0.02) < 1e-9 && abs(line.spread - 0.01) < 1e-9)
    #expect(line.low < 0.3 && line.high > 0.3 && line.high - line.low < 0.3)
  }

  @Test("of an unbalanced count are running counts, and include the exact one of insurance")
  func running() throws {
    let result = try outcome("indices", "count: ko\nplays: insurance\nhalf-width: 0.5").result
    let interval = try result.measurement("index[insurance]").interval(at: 0.99)
    // By the hypergeometric distribution of low cards, tens and aces over depths up to 234 cards, the gain at the
    // running counts 1, 2 and 3 is -0.00750, 0.00198 and 0.01177.
    #expect(interval.contains(1.791) && interval.upperBound - interval.lowerBound <= 1)
    let text = result.document.text(width: 200).replacing("\n", with: " ")
    #expect(text.contains("Indices are running counts, which start at -20."))
  }

  @Test("of a count of colours have a hand with the card whose colours differ in each of them")
  func colours() throws {
    let rules = try Rules(name: "6d-cut75")
    let system = try #require(CountingSystem.all.first { $0.name == "red-seven" })
    let play = PlayIndex(ChartCellKey(.pair(.seven), against: .eight), below: .hit, above: .split, at: 0)
    let study = try IndexStudy(
      play, rules: rules, system: system, analysis: ExactAnalysis(rules: rules), chart: .trainer)
    var stream = try WordStream(named: "mt19937", seed: 1)
    let counts = (0..<32).compactMap { _ in study.sample(within: nil, cut: 1, drawing: &stream)?.count }
    // Two sevens and an eight from a count that starts at -12: a red seven is a point, a black one none.
    #expect(Set(counts) == [-12, -11, -10])
  }

  @Test("of plays that the rules forbid, or of hands that do not exist, are refused")
  func forbidden() {
    #expect(refusal("indices", "rules: 6d-cut75\nplays: hard-15-v-10-HR").contains("other plays than hard-15-v-10-HR"))
    #expect(refusal("indices", "plays: hard-4-v-10-HR").contains("plays such as hard-16-v-10-HS"))
  }
}

@Suite("The best bets")
struct BetsTests {
  private static let table = BetTable(
    rows: [(-1, 0.4, -0.005), (0, 0.3, 0.005), (1, 0.2, 0.015), (2, 0.1, 0.03)].map {
      .init(count: $0.0, rounds: 1_000_000, share: $0.1, edge: $0.2, square: 1.3)
    })

  /// All ramps of 1 to a number of units.
  private static func ramps(_ rows: Int, _ spread: Int) -> [[Int]] {
    rows == 0 ? [[]] : ramps(rows - 1, spread).flatMap { ramp in (1...spread).map { ramp + [$0] } }
  }

  @Test("win as much as the best of all ramps that are as safe", arguments: [400.0, 600, 1000, 5000])
  func best(bankroll: Double) throws {
    let table = Self.table
    let found = try #require(table.best(spread: 5, bankroll: bankroll, ruin: 0.05))
    let safe = Self.ramps(4, 5).filter { table.ruin($0, bankroll: bankroll) <= 0.05 }
    #expect(table.ruin(found, bankroll: bankroll) <= 0.05 && found[0] == 1)
    #expect(abs(table.win(found) - (safe.map(table.win).max() ?? .nan)) < 1e-12, "\(found)")
  }

  @Test("do not exist for a bankroll below the one that is named")
  func minimum() throws {
    let minimum = try #require(Self.table.bankroll(spread: 5, ruin: 0.05))
    #expect(Self.table.best(spread: 5, bankroll: minimum * 0.999, ruin: 0.05) == nil)
    #expect(Self.table.best(spread: 5, bankroll: minimum * 1.001, ruin: 0.05) != nil)
    let problem = #expect(throws: BlackjackError.self) {
      try outcome("bets", "rules: 1d-cut50\nchart: trainer\nshoes: 3000\nspread: 8\nbankroll: 100\nunit: 10")
    }
    #expect(problem?.description.contains("bankroll: found 100, expected at least ") == true, "\(problem as Any)")
  }

  @Test("take edges that do not fall as the count rises, with the same mean")
  func pooled() {
    let edges = [-0.01, 0.02, 0.01, 0.03]
    let table = BetTable(
      rows: edges.enumerated().map { .init(count: $0, rounds: 10, share: 0.25, edge: $1, square: 1.3) })
    for (row, edge) in zip(table.pooled.rows, [-0.01, 0.015, 0.015, 0.03]) { #expect(abs(row.edge - edge) < 1e-15) }
  }

  private static let game = "rules: 1d-cut50\nchart: trainer\nshoes: 3000\nspread: 4\nbankroll: 60000\nunit: 100"

  @Test("are played in other shoes, as is a given ramp: twice the bets win twice as much at the root of the risk")
  func played() throws {
    let (result, found) = try outcome("bets", Self.game)
    #expect(found["neighbours.better"] == 0 && found["unit"] == 100)
    let bets = result.measurements.filter { $0.measure.name == "bet" }.map(\.estimate)
    #expect(bets.first == 1 && bets.last == 4 && bets == bets.sorted())
    let ramp = try #require(result.data["ramp"].text.split(separator: "\"").first)
    let twice = ramp.split(separator: " ").map { step in
      let halves = step.split(separator: ":")
      return "\(halves[0]):\((Int(halves[1]) ?? 0) * 2)"
    }
    let same = try outcome("bets", Self.game + "\nramp: ['\(ramp)']").found
    #expect(same["given.loss"] == 0 && same["given.ruin"] == same["ruin"])
    let other = try outcome("bets", Self.game + "\nramp: ['\(twice.joined(separator: " "))']").found
    let (win, ruin) = (try #require(found["win.hundred"]), try #require(found["ruin"]))
    #expect(abs(try #require(other["given.loss"]) + win) < 1e-9)
    #expect(abs(try #require(other["given.ruin"]) - ruin.squareRoot()) < 1e-9)
  }

  @Test("for a Kelly fraction are those for its risk of ruin, and the unit is found if it is not given")
  func kelly() throws {
    let game = Self.game.replacing("60000\nunit: 100", with: "4000")
    let (kelly, ruin) = (try outcome("bets", game + "\nkelly: 1"), try outcome("bets", game + "\nruin: 0.1353352833"))
    #expect(kelly.found == ruin.found && (kelly.found["unit"] ?? 0) > 1)
  }

  @Test(
    "refuse what contradicts itself, and name it",
    arguments: [
      ("ruin: 1%\nkelly: 0.5", "one of the two: a Kelly fraction k is a risk of exp(-2/k)"),
      ("ruin: 0", "ruin: found '0', expected a number, above 0 and below 1"),
      ("kelly: 3", "kelly: found '3', expected a number, 0.01 to 2"),
      ("bankroll: 0", "bankroll: found '0', expected a number, above 0"),
      ("unit: 0.5", "unit: found '0.5', expected a whole number, 1 to 1,000,000"),
      ("unit: 25\nbankroll: 20", "at most the bankroll, 20"),
      ("spread: 0", "spread: found '0', expected a whole number, 1 to 1,000"),
      ("ramp: ['0:0 1:1']", "1 to 6 others with it"), ("rules: inf", "1 to 8 decks"),
    ])
  func refused(yaml: String, problem: String) {
    let text = refusal("bets", yaml)
    #expect(text.contains(problem), "\(text)")
  }
}
