// SPDX-License-Identifier: GPL-3.0-or-later
import ClubCore
import Foundation
import Testing

@testable import ClubLab

@Suite struct ScratchTests {
  struct Spy: FeedSubject {
    var ledger: WeekLedger
    let watch: Set<Int>
    mutating func see(_ listing: FeedListing, at moment: Moment) {
      let c = ledger.observe(listing, at: moment)
      let f = { [watch] (d: Int) in watch.contains(d) }
      func t(_ m: Moment) -> String { Date(timeIntervalSince1970: Double(m.seconds)).description.prefix(16).description }
      for e in c.new where f(e.activity.distance.decimetres) {
        print("  new", e.activity.distance.decimetres, "at", t(moment), "place", listing.activities.firstIndex { $0.distance == e.activity.distance } ?? -1, "of", listing.activities.count, e.dating.week?.description ?? "?", e.dating.ground, "elapsed", e.activity.elapsedTime)
        if e.dating.ground == .place { for (i, id) in c.entries.prefix(70).enumerated() where i < 8 || abs(i - (listing.activities.firstIndex { $0.distance == e.activity.distance } ?? 0)) < 4 {
          let n = ledger.entries.first { $0.id == id }!
          print("      ", i, n.activity.distance.decimetres, "seen", t(n.firstSeen), "el", n.activity.elapsedTime, n.dating.week?.description ?? "?", n.dating.ground, n.dating.earliest.map(t) ?? "-", n.dating.likely.map(t) ?? "-", t(n.dating.latest))
        } }
      }
      for e in c.gone where f(e.activity.distance.decimetres) { print("  gone", e.activity.distance.decimetres, "at", t(moment)) }
      for e in c.fallen where f(e.activity.distance.decimetres) { print("  fallen", e.activity.distance.decimetres, "at", t(moment)) }
      for e in c.returned where f(e.activity.distance.decimetres) { print("  returned", e.activity.distance.decimetres, "at", t(moment)) }
    }
    func activities(in week: Week) -> [Activity] { ledger.activities(in: week) }
  }
  @Test func speed() throws {
    let setting = try FeedSetting(
      club: ClubShape(members: 40, weeks: 8), service: ServiceShape(depth: 120), faults: .usual, perPage: 60)
    for variant in [FeedVariant.alone(.shiftingPages), .all] {
    var watch: Set<Int> = []
    print(variant.name)
    for round in 0..<2 {
    let trial = try FeedTrial(setting, seasons: 2, seed: 1, subject: { [watch] in Spy(ledger: WeekLedger(order: setting.listingOrder), watch: watch) })
    let played = try trial.played(0, variant)
    if round == 1 { continue }
    let rides = played.service.history.rides
    let kn = played.knowability()
    func t(_ m: Moment) -> String { Date(timeIntervalSince1970: Double(m.seconds)).description.prefix(16).description }
    for (i, r) in rides.enumerated() {
      let w = WeekCalendar.utc.week(of: r.start)
      guard let s = played.statements.first(where: { $0.week == w }), kn.standing(of: i, at: s.moment) == .listed, kn.reasons[i] == nil else { continue }
      if !s.activities.contains(where: { a in r.versions.contains { $0.activity.distance == a.distance } }) {
        let other = played.statements.first { $0.activities.contains(where: { a in r.versions.contains { $0.activity.distance == a.distance } }) }?.week.description ?? "lost"
        if watch.count < 6 {
        print("ride", r.versions.map(\.activity.distance.decimetres), "week", w, "start", t(r.start), "upl", t(r.uploaded), "el", r.versions[0].activity.elapsedTime, "hidden", r.hidden.map { t($0.lowerBound) + ".." + t($0.upperBound) } ?? "", "->", other, "left", r.rowsLeftOut)
        watch.formUnion(r.versions.map(\.activity.distance.decimetres))
        }
      }
    }
    }
    }
  }
}
