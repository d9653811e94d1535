// SPDX-License-Identifier: GPL-3.0-or-later
import ClubCore
import Foundation
import Testing

@testable import ClubLab

@Suite struct FeedTrialTests {
  @Test func scratch() throws {
    let setting = try FeedSetting(
      club: ClubShape(members: 40, weeks: 8), service: ServiceShape(depth: 120), faults: .usual, perPage: 60)
    let trial = try FeedTrial(setting, seasons: 2, seed: 1)
    for variant in trial.variants {
      let begun = Date()
      let c = try trial.counts(of: 0, variant)
      let r = c.rides
      print(
        variant.name, "t", Int(Date().timeIntervalSince(begun) * 1000), "know", r.knowable, "right", r.right, "wrong", r.wrong, "lost",
        r.lost, "unk", r.unknowable, "guess", r.guessed, "dbl", r.doubles, "rem", r.removed, "ph", r.phantoms, "stray", r.strays,
        "mw", r.memberWeeks, "mis", r.misranked, "mrg", r.merged, "spl", r.split, "req", c.requests, "viol", c.violations, "hasty",
        c.hasty, "q", c.mostInQuarterHour, "d", c.mostInDay, c.fetching)
    }
  }
}
