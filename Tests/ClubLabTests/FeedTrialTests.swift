// SPDX-License-Identifier: GPL-3.0-or-later
import ClubCore
import MonteCarlo
import Testing

@testable import ClubLab

@Suite("Trials of the week ledger")
struct FeedTrialTests {
  private static func setting(
    _ faults: FaultMix, order: ServiceShape.Order = .uploadInPages, weeks: Int = 3
  ) -> ClubFeed {
    ClubFeed(ClubShape(members: 20, weeks: weeks), ServiceShape(order: order, depth: 60), faults, interval: 7200)
  }

  @Test(
    "without faults every ride that can be known is in its week, whatever the order",
    arguments: ServiceShape.Order.allCases)
  func faultless(order: ServiceShape.Order) throws {
    let trial = try FeedTrial(Self.setting(.none, order: order).seeded(7))
    let counts = FeedCounts(try trial.played(0, .none))
    #expect(counts.rides.knowable > 40)
    #expect(counts.rides.right == counts.rides.knowable)
    #expect(counts.rides.doubles == 0 && counts.rides.countedFromOutside == 0 && counts.rides.split == 0)
    #expect(counts.violations == 0 && counts.failedFetches == 0)
  }

  @Test("every variant has the same club: what one fault adds is the fault's alone")
  func commonClub() throws {
    let trial = try FeedTrial(Self.setting(.usual, weeks: 1).seeded(7))
    func starts(_ faults: FaultMix) throws -> [Moment] {
      try trial.played(0, faults).service.history.rides.map(\.start)
    }
    let plain = try starts(.none)
    #expect(try starts(FaultMix([FeedFault(.deletions)])) == plain)
    #expect(try starts(FaultMix([FeedFault(.identicalRides)])).count > plain.count)
  }

  @Test("a fetcher is not blamed for asking again while the answer that the budget is spent is still on its way")
  func lateAnswers() throws {
    // Others spend so much that the last request of a quarter of an hour is often ours, and half the answers are late.
    let faults = FaultMix([FeedFault(.otherUsers, size: 5), FeedFault(.timeouts, rate: 0.5)])
    let feed = ClubFeed(
      ClubShape(members: 20, weeks: 2), ServiceShape(depth: 60, perQuarterHour: 8, perDay: 768), faults,
      interval: 1700)
    let counts = FeedCounts(try FeedTrial(feed.seeded(7)).played(0, feed.faults))
    #expect(counts.requests > 500)
    #expect(counts.violations == 0 && counts.retryAfterViolations == 0)
  }
}

extension ClubFeed {
  init(
    _ club: ClubShape, _ service: ServiceShape, _ faults: FaultMix, interval: Int, perPage: Int = 60,
    ledger: (@Sendable () -> any LedgerUnderTest)? = nil
  ) {
    self.init()
    (self.club, self.service, self.faults) = (club, service, faults)
    (self.interval, self.perPage, self.ledger) = (interval, perPage, ledger)
  }

  /// Two seasons, and so many under all faults together.
  func seeded(_ seed: UInt64, together: Int? = nil) -> ClubFeed {
    var feed = self
    (feed.seed, feed.seasons, feed.together) = (seed, 2, together)
    return feed
  }
}

/// What the public solutions do: everything that is not in the set is new, and belongs to the week of its first sight.
private let setLedger: @Sendable () -> any LedgerUnderTest = {
  NaiveLedger(countsBacklog: true, isSet: true, knowsTitles: true)
}

@Suite("Evaluation of ledgers")
struct SeasonEvaluationTests {
  private static func counts(
    _ faults: [ClubLab.FeedFault], order: ServiceShape.Order = .start, _ ledger: (@Sendable () -> any LedgerUnderTest)?
  ) throws -> SeasonFindings {
    let feed = ClubFeed(
      ClubShape(members: 20, weeks: 3), ServiceShape(order: order, depth: 60), FaultMix(faults), interval: 7200,
      ledger: ledger)
    return FeedCounts(try FeedTrial(feed.seeded(3)).played(0, feed.faults)).rides
  }

  @Test("a ledger that is a set counts renamed rides twice, and the evaluation finds it")
  func renames() throws {
    let faults = [FeedFault(.renames, rate: 0.5)]
    #expect(try Self.counts(faults, setLedger).doubles > 10)
    #expect(try Self.counts(faults, nil).doubles == 0)
  }

  @Test("a ledger that is a set loses the second of identical rides, and the evaluation finds it")
  func identicalRides() throws {
    let faults = [FeedFault(.identicalRides, rate: 0.5)]
    #expect(try Self.counts(faults, setLedger).lost > 10)
    #expect(try Self.counts(faults, nil).lost == 0)
  }

  @Test(
    "a ledger that dates by first sight puts the backlog and late uploads into wrong weeks, and the evaluation finds it"
  )
  func lateUploads() throws {
    let faults = [FeedFault(.lateUploads, rate: 0.5, size: 48)]
    let naive = try Self.counts(faults, setLedger)
    let ours = try Self.counts(faults, nil)
    #expect(naive.wrong > 0)
    #expect(naive.countedFromOutside > 5)
    #expect(naive.knowable == ours.knowable, "what can be known does not depend on who is judged")
    #expect(ours.wrong < naive.wrong)
    #expect(ours.countedFromOutside < naive.countedFromOutside)
  }

  @Test("a ledger that never forgets keeps deleted rides, and the evaluation finds it")
  func deletions() throws {
    let faults = [FeedFault(.deletions, rate: 0.5)]
    let naive = try Self.counts(faults, setLedger)
    #expect(naive.removed > 10)
    #expect(naive.deletedButCounted > 10)
    #expect(try Self.counts(faults, nil).deletedButCounted < 3)
  }
}
