// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// The subject of an alert, which a person may switch off.
public enum AlertCategory: String, CaseIterable, Sendable {
  case lateChange = "late-change"
  case injury, captain, trade, price, bye
}

/// How much an alert interrupts.
public enum Interruption: Int, Comparable, Sendable {
  /// In the list alone.
  case passive
  /// Shown at once, outside quiet hours.
  case active
  /// Shown in quiet hours too.
  case urgent

  /// Less urgent first.
  public static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
}

/// Something that happened, and may be worth an alert.
public struct Fact: Hashable, Sendable {
  /// The same for the same fact, however often and from wherever it comes.
  public var key: String
  /// The kind of fact.
  public var category: AlertCategory
  /// How much it matters to this person's team, from 0 to 100.
  public var relevance: Int
  /// When it became known, in minutes of the Unix epoch.
  public var at: Int
  /// The lockout until which it can be acted on, in minutes of the Unix epoch.
  public var lockout: Int

  /// A fact at a time, in minutes, which matters until a lockout.
  public init(key: String, category: AlertCategory, relevance: Int, at: Int, lockout: Int) {
    (self.key, self.category, self.relevance, self.at, self.lockout) = (key, category, relevance, at, lockout)
  }

  /// Changes within two hours of the lockout are urgent for players who matter; what matters little waits in the list.
  public var interruption: Interruption {
    if relevance >= 50, category == .lateChange || category == .injury, lockout - at <= 120 { return .urgent }
    return relevance >= 20 ? .active : .passive
  }
}

/// What a person wants to be alerted of, and when.
public struct AlertPreferences: Hashable, Sendable {
  /// Categories that never alert; they are in the summary.
  public var muted: Set<AlertCategory> = []
  /// Facts that matter less do not alert.
  public var leastRelevance = 20
  /// Alerts of a day of the person's, the summary among them.
  public var mostPerDay = 4
  /// The minute of the day from which it is quiet.
  public var quietFrom = 22 * 60
  /// The minute of the day until which it is quiet; that from which it is for never.
  public var quietUntil = 7 * 60
  /// The person's time zone.
  public var zone: TimeZone
  /// Minutes before a lockout at which the summary comes.
  public var summaryBefore = 90

  /// The default preferences in a time zone.
  public init(zone: TimeZone) { self.zone = zone }

  /// The day and the minute of it where the person lives.
  public func local(_ minute: Int) -> (day: Int, minute: Int) {
    let offset = zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(minute) * 60))
    let local = minute + Int((Double(offset) / 60).rounded(.down))
    let day = Int((Double(local) / 1440).rounded(.down))
    return (day, local - day * 1440)
  }

  /// Whether it is quiet then.
  public func isQuiet(_ minute: Int) -> Bool {
    let now = local(minute).minute
    let (isLate, isEarly) = (now >= quietFrom, now < quietUntil)
    return quietFrom <= quietUntil ? isLate && isEarly : isLate || isEarly
  }
}

/// One message to a person.
public struct Delivery: Hashable, Sendable {
  /// In minutes of the Unix epoch.
  public var at: Int
  /// How the alert interrupts.
  public var interruption: Interruption
  /// One fact of an alert; of a summary all that no alert was for.
  public var facts: [Fact]
  /// Whether the alert is the summary before the lockout.
  public var isSummary: Bool
}

/// Decides, as facts come in, which become alerts and when; whatever does not is in the summary before its lockout.
///
/// No fact alerts twice, no day has more alerts than the person wants, and no fact that came before its lockout is
/// lost: what is muted, matters little, falls into quiet hours or is over the cap waits for the summary. A place of
/// the day is kept for the summary; what comes after it and may not alert is added to it without a sound.
public struct AlertInbox: Sendable {
  /// What the person wants.
  public let preferences: AlertPreferences
  private var seen: Set<String> = []
  private var sent: [Int: Int] = [:]
  private var waiting: [Fact] = []
  /// Active alerts that wait for the end of quiet hours.
  private var held: [Fact] = []
  private var summarised: Set<Int> = []

  /// An inbox without alerts.
  public init(_ preferences: AlertPreferences) { self.preferences = preferences }

  /// Takes a fact, at its moment or later, and says what is delivered at once. Moments never go back.
  public mutating func receive(_ fact: Fact) -> [Delivery] {
    var out = advance(to: fact.at)
    guard fact.at < fact.lockout, seen.insert(fact.key).inserted else { return out }
    let isWanted = !preferences.muted.contains(fact.category) && fact.relevance >= preferences.leastRelevance
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
    // A summary whose moment has passed is due with its first fact.
    return out + advance(to: fact.at)
  }

  /// Takes facts, in any order, each at its moment, and says what is delivered until another.
  public mutating func receive(_ facts: [Fact], until end: Int) -> [Delivery] {
    facts.sorted { ($0.at, $0.key) < ($1.at, $1.key) }.flatMap { receive($0) } + advance(to: end)
  }

  /// Says what is delivered until a moment: what waited for the end of quiet hours, and summaries.
  public mutating func advance(to now: Int) -> [Delivery] {
    var out: [Delivery] = []
    while true {
      let pending = held + waiting
      let summary = pending.map { $0.lockout - preferences.summaryBefore }.min()
      let morning = held.map { endOfQuiet(after: $0.at) }.min()
      guard let next = [summary, morning].compactMap(\.self).min(), next <= now else { return out }
      if next == summary {
        // A summary that would have come before its facts is due with them.
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
      } else if let place = held.firstIndex(where: { endOfQuiet(after: $0.at) == next }) {
        let fact = held.remove(at: place)
        if take(at: next, before: fact.lockout) {
          out.append(Delivery(at: next, interruption: .active, facts: [fact], isSummary: false))
        } else {
          waiting.append(fact)
        }
      }
    }
  }

  /// The first minute after one that is not quiet.
  private func endOfQuiet(after minute: Int) -> Int {
    let now = preferences.local(minute).minute
    return minute + (preferences.quietUntil - now + 1440) % 1440
  }

  /// Takes one of the day's alerts, if there is one left; before a lockout of the same day one stays for its summary.
  private mutating func take(at minute: Int, before lockout: Int?) -> Bool {
    let day = preferences.local(minute).day
    let summary = lockout.map { $0 - preferences.summaryBefore }
    let keeps = summary.map { $0 > minute && preferences.local($0).day == day } ?? false
    guard sent[day, default: 0] + (keeps ? 1 : 0) < preferences.mostPerDay else { return false }
    sent[day, default: 0] += 1
    return true
  }
}
