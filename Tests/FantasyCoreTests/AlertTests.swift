// SPDX-License-Identifier: Apache-2.0
import FantasyCore
import Foundation
import Testing

@Suite("Alerts")
struct AlertTests {
  /// Thursday 2026-06-11, 19:30 in Melbourne.
  private let lockout = 29_686_170

  private func preferences(_ zone: String = "Australia/Melbourne") throws -> AlertPreferences {
    AlertPreferences(zone: try #require(TimeZone(identifier: zone)))
  }

  private func fact(_ key: String, _ category: AlertCategory = .trade, relevance: Int = 60, before: Int) -> Fact {
    Fact(key: key, category: category, relevance: relevance, at: lockout - before, lockout: lockout)
  }

  private func deliveries(_ facts: [Fact], _ preferences: AlertPreferences) -> [Delivery] {
    var inbox = AlertInbox(preferences)
    return inbox.receive(facts, until: lockout)
  }

  @Test("the lockout of this suite is on a Thursday at 19:30 in Melbourne")
  func zone() throws { #expect(try preferences().local(lockout).minute == 19 * 60 + 30) }

  @Test("facts above the daily limit wait for the summary, for which one alert is reserved")
  func cap() throws {
    let all = deliveries((0..<6).map { fact("\($0)", before: 400 - $0) }, try preferences())
    #expect(all.count == 4 && all.count { $0.isSummary } == 1)
    #expect(all.last?.at == lockout - 90 && all.last?.facts.map(\.key) == ["3", "4", "5"])
    #expect(all.last?.interruption == .active)
  }

  @Test("quiet hours are in the person's time zone, and only urgent facts interrupt them")
  func quiet() throws {
    // 19:30 in Melbourne is 2:30 in the morning in Los Angeles.
    let late = fact("late", .lateChange, relevance: 80, before: 60)
    let tip = fact("tip", before: 240)
    let home = deliveries([tip, late], try preferences())
    #expect(home.map(\.interruption) == [.active, .urgent])
    let away = deliveries([tip, late], try preferences("America/Los_Angeles"))
    // 22:30 the evening before: the tip waits for the summary, which has no sound at 1 in the morning.
    #expect(away.map(\.interruption) == [.passive, .urgent] && away[0].isSummary)
  }

  @Test("facts in quiet hours are delivered in the morning")
  func morning() throws {
    let all = deliveries([fact("night", before: 20 * 60)], try preferences())
    // 23:30 the day before, delivered at 7:00.
    #expect(all.map(\.at) == [lockout - 12 * 60 - 30] && !all[0].isSummary)
  }

  @Test("muted and minor facts are in the summary only")
  func muted() throws {
    var preferences = try preferences()
    preferences.muted = [.trade]
    let all = deliveries([fact("a", before: 300), fact("b", .captain, relevance: 5, before: 200)], preferences)
    #expect(all.count == 1 && all[0].isSummary && all[0].facts.map(\.key) == ["a", "b"])
  }

  @Test("facts after the summary are added to it silently, and facts after the lockout are dropped")
  func after() throws {
    let all = deliveries(
      [fact("a", relevance: 5, before: 300), fact("b", relevance: 5, before: 10), fact("c", before: -5)],
      try preferences())
    #expect(all.map { $0.facts.map(\.key) } == [["a"], ["b"]] && all[1].interruption == .passive)
  }
}

@Suite("Deep links")
struct LinkTests {
  @Test("each route is printed and read back")
  func routes() throws {
    for (link, url) in [
      (Link.player("p-1"), "aflfantasy://player/p-1"), (.captain(round: 12), "aflfantasy://captain/12"),
      (.trade(out: "a", into: "b"), "aflfantasy://trade/a/b"), (.alerts, "aflfantasy://alerts"),
    ] {
      #expect(link.url == url)
      #expect(try Link(url) == link)
    }
  }

  @Test(
    "a hostile link is refused",
    arguments: [
      "https://player/p1", "AFLFANTASY://player/p1", "aflfantasy:player/p1", "aflfantasy://player/../captain",
      "aflfantasy://player/%2e%2e", "aflfantasy://player/p1?x=1", "aflfantasy://player/p1#x",
      "aflfantasy://player/p\n1",
      "aflfantasy://player/p1/", "aflfantasy://player//p1", "aflfantasy://player/", "aflfantasy://captain/007",
      "aflfantasy://captain/0", "aflfantasy://captain/100", "aflfantasy://trade/a/a", "aflfantasy://trade/a",
      "aflfantasy://alerts/1", "aflfantasy://nowhere/1", "aflfantasy://", "javascript:alert(1)", " aflfantasy://alerts",
      "aflfantasy://player/é", "aflfantasy://player/\u{202E}p",
      "aflfantasy://player/" + String(repeating: "a", count: 65),
    ])
  func hostile(text: String) {
    let error = #expect(throws: FantasyProblem.self) { try Link(text) }
    #expect(error?.field == "link" && error?.found.contains("\n") == false)
  }
}
