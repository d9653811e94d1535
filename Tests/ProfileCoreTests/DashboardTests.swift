// SPDX-License-Identifier: Apache-2.0
import ProfileCore
import Testing

@Suite("The dashboard")
struct DashboardTests {
  private static func click(_ id: UInt64, _ visitor: UInt64 = 1, at seconds: Int64, source: UInt8 = 0) -> DashboardEvent
  {
    DashboardEvent(id: id, kind: .click, subject: 1, source: source, visitor: visitor, seconds: seconds)
  }

  @Test("counts a click on the owner's calendar day, also when summer time begins")
  func days() {
    // Zurich: one hour ahead, two from 2026-03-29 01:00 UTC.
    let zone = ZoneOffsets(3_600, changes: [(seconds: 1_774_746_000, offset: 7_200)])
    var tally = DashboardTally()
    // 2026-03-28 22:30, 23:30 UTC; 2026-03-29 21:30, 22:30 UTC.
    for (id, seconds) in [1_774_737_000, 1_774_740_600, 1_774_819_800, 1_774_823_400].enumerated() {
      tally.add(Self.click(UInt64(id), at: Int64(seconds)), in: zone)
    }
    #expect(tally.days(of: 1).map(\.count) == [1, 2, 1])
    #expect(tally.days(of: 1).map(\.day) == [20_540, 20_541, 20_542])
    #expect(ZoneOffsets(-3_600).day(of: 0) == -1)
  }

  @Test("counts late and repeated events once by source, and resolves contradictions equally in any order")
  func doubled() {
    var tally = DashboardTally()
    let events = [Self.click(1, at: 0, source: 2), Self.click(2, 2, at: 90_000), Self.click(1, at: 0, source: 2)]
    for event in events + events { tally.add(event, in: ZoneOffsets(0)) }
    #expect(tally.events == 2 && tally.visitors[1]?.count == 2)
    #expect(tally.sources(of: 1).map(\.source) == [0, 2] && tally.sources(of: 1).map(\.count) == [1, 1])
    let (one, other) = (Self.click(7, at: 0, source: 1), Self.click(7, at: 0, source: 3))
    func counts(_ events: [DashboardEvent]) -> [DashboardTally.Cell: Int] {
      events.reduce(into: DashboardTally()) { $0.add($1, in: ZoneOffsets(0)) }.counts
    }
    #expect(counts([one, other]) == counts([other, one]) && counts([one, other]).count == 1)
  }
}
