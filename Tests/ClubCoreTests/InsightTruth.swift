// SPDX-License-Identifier: Apache-2.0
import ClubCore

/// Recomputes what an insight claims from raw activities, by other ways than the core's: doubles, sorting, and the
/// numbers that stand in the sentence.
struct InsightTruth {
  let club: SmallClub
  let member: MemberIdentity
  let week: Week

  init(_ club: SmallClub) {
    (self.club, member, week) = (club, club.member, club.week)
  }

  // MARK: Quantities of raw activities

  func kilometres(_ member: MemberIdentity, _ week: Week) -> Double {
    club.rides(member, week).reduce(0) { $0 + $1.distance.kilometres }
  }

  func value(_ metric: Metric, _ member: MemberIdentity, _ week: Week) -> Double? {
    let rides = club.rides(member, week)
    switch metric {
    case .distance: return kilometres(member, week)
    case .rides: return Double(rides.count)
    case .elevation: return rides.reduce(0) { $0 + $1.elevation.metres }
    case .speed:
      let hours = rides.reduce(0) { $0 + Double($1.movingTime) / 3600 }
      return hours > 0 ? kilometres(member, week) / hours : nil
    }
  }

  var active: [MemberIdentity] { club.active(week) }
  var known: [Week] { club.weeks.map(\.week).filter { $0 <= week } }
  var activeBefore: [Week] { known.filter { $0 < week && !club.rides(member, $0).isEmpty } }

  /// The rank of a value by counting, with room for the last bits of doubles.
  func rank(_ metric: Metric, _ member: MemberIdentity, _ week: Week) -> Int? {
    guard !club.rides(member, week).isEmpty, let own = value(metric, member, week) else { return nil }
    return 1 + club.active(week).count { (value(metric, $0, week) ?? -1) > own + 1e-9 }
  }

  /// The third-best distance of a week.
  func third(_ week: Week) -> Double? {
    let distances = club.active(week).map { kilometres($0, week) }.sorted(by: >)
    return distances.count > 2 ? distances[2] : nil
  }

  // MARK: Numbers in a sentence

  /// The numbers of a sentence in their order, those in names of weeks aside.
  static func numbers(_ sentence: String) -> [Double] {
    figures(sentence).filter { !$0.contains("W") }.compactMap { Double($0) }
  }

  /// The weeks that a sentence names.
  static func weeks(_ sentence: String) -> [String] { figures(sentence).filter { $0.contains("W") } }

  /// Runs of digits, points, and what joins a week to its year; a full stop at the end belongs to the sentence.
  private static func figures(_ sentence: String) -> [String] {
    var (found, run) = ([String](), [UInt8]())
    for byte in Array(sentence.utf8) + [32] {
      let joins = byte == UInt8(ascii: "-") || byte == UInt8(ascii: "W") || byte == UInt8(ascii: ".")
      if (48...57).contains(byte) || (joins && !run.isEmpty) {
        run.append(byte)
      } else if !run.isEmpty {
        while run.last == UInt8(ascii: ".") { run.removeLast() }
        found.append(String(decoding: run, as: UTF8.self))
        run = []
      }
    }
    return found
  }

  /// Whether a shown number is the other rounded to a unit.
  static func shows(_ shown: Double, _ value: Double, unit: Double = 0.1) -> Bool {
    abs(shown - value) <= unit / 2 + 1e-6
  }

  static func unit(_ metric: Metric) -> Double { metric == .distance || metric == .speed ? 0.1 : 1 }
}
