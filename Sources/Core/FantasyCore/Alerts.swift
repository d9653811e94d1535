// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// The subject of an alert, which a person may mute.
public enum AlertCategory: String, CaseIterable, Sendable {
  case lateChange = "late-change"
  case injury, captain, trade, price, bye
}

/// The degree to which an alert interrupts.
public enum Interruption: Int, Comparable, Sendable {
  /// Only listed.
  case passive
  /// Shown immediately, except in quiet hours.
  case active
  /// Shown immediately, also in quiet hours.
  case urgent

  /// Orders by urgency, the least urgent first.
  public static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
}

/// An event that may be worth an alert.
public struct Fact: Hashable, Sendable {
  /// An identifier that repeated reports of the same fact share.
  public var key: String
  /// The kind of fact.
  public var category: AlertCategory
  /// Its importance for this person's team, from 0 to 100.
  public var relevance: Int
  /// The time at which it became known, in minutes of the Unix epoch.
  public var at: Int
  /// The lockout after which it no longer matters, in minutes of the Unix epoch.
  public var lockout: Int

  /// A fact that became known at a time and matters until a lockout, both in minutes of the Unix epoch.
  public init(key: String, category: AlertCategory, relevance: Int, at: Int, lockout: Int) {
    (self.key, self.category, self.relevance, self.at, self.lockout) = (key, category, relevance, at, lockout)
  }

  /// Urgent for late changes and injuries of relevance 50 or more within two hours of the lockout; passive below 20.
  public var interruption: Interruption {
    if relevance >= 50, category == .lateChange || category == .injury, lockout - at <= 120 { return .urgent }
    return relevance >= 20 ? .active : .passive
  }
}

/// A person's choice of the alerts to receive and their times.
public struct AlertPreferences: Hashable, Sendable {
  /// Categories that never alert; their facts are in the summary.
  public var muted: Set<AlertCategory> = []
  /// The least relevance of a fact that alerts.
  public var minRelevance = 20
  /// The largest number of alerts in a day of the person's time zone, including the summary.
  public var maxPerDay = 4
  /// The minute of the day at which quiet hours begin.
  public var quietFrom = 22 * 60
  /// The minute of the day at which quiet hours end; equal to `quietFrom` for no quiet hours.
  public var quietUntil = 7 * 60
  /// The person's time zone.
  public var zone: TimeZone
  /// Minutes from the summary to the lockout.
  public var summaryBefore = 90

  /// The default preferences in a time zone.
  public init(zone: TimeZone) { self.zone = zone }

  /// The local day and minute of the day of a minute of the Unix epoch.
  public func local(_ minute: Int) -> (day: Int, minute: Int) {
    let offset = zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(minute) * 60))
    let local = minute + Int((Double(offset) / 60).rounded(.down))
    let day = Int((Double(local) / 1440).rounded(.down))
    return (day, local - day * 1440)
  }

  /// Returns true if a minute of the Unix epoch is in quiet hours.
  public func isQuiet(_ minute: Int) -> Bool {
    let now = local(minute).minute
    let (isLate, isEarly) = (now >= quietFrom, now < quietUntil)
    return quietFrom <= quietUntil ? isLate && isEarly : isLate || isEarly
  }
}

/// One message to a person.
public struct Delivery: Hashable, Sendable {
  /// The time, in minutes of the Unix epoch.
  public var at: Int
  /// The degree to which the alert interrupts.
  public var interruption: Interruption
  /// The fact of an alert; in a summary, all facts without an alert.
  public var facts: [Fact]
  /// True if the alert is the summary before the lockout.
  public var isSummary: Bool
}

/// Decides which facts become alerts, and when; all other facts are in the summary before their lockout.
///
/// No fact alerts twice, no day has more alerts than the person wants, and no fact known before its lockout is lost:
/// muted and less relevant facts, facts in quiet hours and facts beyond the daily limit wait for the summary. One alert
/// of the day is reserved for the summary; a later fact without an alert is delivered silently as an addition to it.
public struct AlertInbox: Sendable {
  /// The person's preferences.
  public let preferences: AlertPreferences
  private var seen: Set<String> = []
  private var sent: [Int: Int] = [:]
  private var waiting: [Fact] = []
  /// Active alerts held until the end of quiet hours.
  private var held: [Fact] = []
  private var summarised: Set<Int> = []

  /// An inbox without alerts.
  public init(_ preferences: AlertPreferences) { self.preferences = preferences }

  /// Accepts a fact, at its time or later, and returns the deliveries that are due. Times must not decrease.
  public mutating func receive(_ fact: Fact) -> [Delivery] {
    var out = advance(to: fact.at)
    guard fact.at < fact.lockout, seen.insert(fact.key).inserted else { return out }
    let isWanted = !preferences.muted.contains(fact.category) && fact.relevance >= preferences.minRelevance
    let level = isWanted ? fact.interruption : .passive
    if level == .urgent || level == .active && !preferences.isQuiet(fact.at), take(at: fact.at, before: fact.lockout) {
      out.append(Delivery(at: fact.at, interruption: level, facts: [fact], isSummary: false))
    } else if summarised.contains(fact.lockout) {
      out.append(Delivery(at: fact.at, interruption: .passive, facts: [fact], isSummary: true))
    } else if level == .active && preferences.isQuiet(fact.at) {
      held.append(fact)
    } else {
      waiting.append(fact)
    }
    // A summary whose time has passed is delivered with its first fact.
    return out + advance(to: fact.at)
  }

  /// Accepts facts in any order, each at its time, and returns the deliveries up to a time.
  public mutating func receive(_ facts: [Fact], until end: Int) -> [Delivery] {
    facts.sorted { ($0.at, $0.key) < ($1.at, $1.key) }.flatMap { receive($0) } + advance(to: end)
  }

  /// Returns the deliveries up to a time: alerts held until the end of quiet hours, and summaries.
  public mutating func advance(to now: Int) -> [Delivery] {
    var out: [Delivery] = []
    while true {
      let pending = held + waiting
      let summary = pending.map { $0.lockout - preferences.summaryBefore }.min()
      let morning = held.map { endOfQuiet(after: $0.at) }.min()
      guard let next = [summary, morning].compactMap(\.self).min(), next <= now else { return out }
      if next == summary {
        // A summary due before its facts were known is delivered with them.
        guard let lockout = pending.first(where: { $0.lockout - preferences.summaryBefore == next })?.lockout else {
          return out
        }
        let facts = pending.filter { $0.lockout == lockout }.sorted { ($0.at, $0.key) < ($1.at, $1.key) }
        held.removeAll { $0.lockout == lockout }
        waiting.removeAll { $0.lockout == lockout }
        summarised.insert(lockout)
        let at = max(next, facts.map(\.at).max() ?? next)
        let sounds = !preferences.isQuiet(at) && take(at: at, before: nil)
        out.append(Delivery(at: at, interruption: sounds ? .active : .passive, facts: facts, isSummary: true))
      } else if let index = held.firstIndex(where: { endOfQuiet(after: $0.at) == next }) {
        let fact = held.remove(at: index)
        if take(at: next, before: fact.lockout) {
          out.append(Delivery(at: next, interruption: .active, facts: [fact], isSummary: false))
        } else {
          waiting.append(fact)
        }
      }
    }
  }

  /// The end of the quiet hours that a minute is in.
  private func endOfQuiet(after minute: Int) -> Int {
    let now = preferences.local(minute).minute
    return minute + (preferences.quietUntil - now + 1440) % 1440
  }

  /// Uses one of the day's alerts if one is left; before a lockout of the same day, one is reserved for its summary.
  private mutating func take(at minute: Int, before lockout: Int?) -> Bool {
    let day = preferences.local(minute).day
    let summary = lockout.map { $0 - preferences.summaryBefore }
    let keeps = summary.map { $0 > minute && preferences.local($0).day == day } ?? false
    guard sent[day, default: 0] + (keeps ? 1 : 0) < preferences.maxPerDay else { return false }
    sent[day, default: 0] += 1
    return true
  }
}
