// SPDX-License-Identifier: GPL-3.0-or-later
internal import FantasyCore
internal import Foundation
internal import Randomness

/// The alerts that one person gets over a season from the core's inbox.
struct AlertRun {
  private let preferences: AlertPreferences
  private var inbox: AlertInbox
  /// The trade advised before the next round.
  var trade: (out: Int, into: Int, gain: Double)?
  private var trades: [String: (out: Int, into: Int, round: Int)] = [:]
  /// True if a fact, by its key, turned out to be worth an alert; trades are missing, since `end(_:)` decides on them.
  private var isUseful: [String: Bool] = [:]
  private var late: Set<String> = []
  private var reported: Set<String> = []
  private var sounding: [String] = []
  private var lastCaptain = -1
  private var wasOut: Set<Int> = []

  init(_ preferences: AlertPreferences = AlertPreferences(zone: TimeZone(secondsFromGMT: 10 * 3600) ?? .gmt)) {
    self.preferences = preferences
    inbox = AlertInbox(preferences)
  }

  mutating func begin() { self = AlertRun(preferences) }

  /// Sends the inbox the news before a round's lockout, which is on a Thursday evening.
  mutating func play(
    _ round: Int, squad: ArraySlice<Int>, captain: Int, isCaptainRight: Bool, chance: [Double], hasPlayed: [Bool],
    expected: [Double], random: inout RandomStream
  ) {
    let lockout = 29_686_170 + round * 7 * 1440
    var facts: [Fact] = []
    func add(_ key: String, _ category: AlertCategory, _ relevance: Int, before minutes: Int) {
      facts.append(
        Fact(key: "\(key)-\(round)", category: category, relevance: relevance, at: lockout - minutes, lockout: lockout))
    }
    let missing = squad.filter { chance[$0] == 0 }
    for player in missing where wasOut.insert(player).inserted {
      add("out-\(player)", .injury, 60, before: 4 * 1440)
      isUseful["out-\(player)-\(round)"] = true
    }
    wasOut.formIntersection(missing)
    for player in squad where chance[player] > 0 && !hasPlayed[player] {
      let isWanted = player == captain || expected[player] > 40
      add("late-\(player)", .lateChange, isWanted ? 80 : 30, before: 5 + random.integer(in: 0..<150))
      isUseful["late-\(player)-\(round)"] = isWanted
      if isWanted { late.insert("late-\(player)-\(round)") }
    }
    if captain != lastCaptain {
      add("captain-\(captain)", .captain, 40, before: 400)
      isUseful["captain-\(captain)-\(round)"] = isCaptainRight
      lastCaptain = captain
    }
    if let trade {
      add("trade-\(trade.out)-\(trade.into)", .trade, min(100, Int(trade.gain)), before: 1500)
      trades["trade-\(trade.out)-\(trade.into)-\(round)"] = (trade.out, trade.into, round)
      self.trade = nil
    }
    if missing.count >= 6 {
      add("bye", .bye, 50, before: 3 * 1440)
      isUseful["bye-\(round)"] = true
    }
    for one in inbox.receive(facts, until: lockout) where one.interruption > .passive {
      for fact in one.facts where one.at <= lockout { reported.insert(fact.key) }
      if !one.isSummary { sounding += one.facts.map(\.key) }
    }
  }

  /// The counts of the season: alerts that sounded, useful ones among them, and late changes without a report.
  func end(_ gained: ((out: Int, into: Int, round: Int)) -> Bool) -> (sounding: Int, useful: Int, missed: Int) {
    let useful = sounding.count { key in isUseful[key] ?? trades[key].map(gained) ?? false }
    return (sounding.count, useful, late.subtracting(reported).count)
  }
}
