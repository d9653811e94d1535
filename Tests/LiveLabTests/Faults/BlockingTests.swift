// SPDX-License-Identifier: GPL-3.0-or-later
import LiveLab
import Testing

@Suite("Faults that let no attempt succeed")
struct BlockingTests {
  private let half = Portion(0.5)

  @Test("are those that hinder all of them, not most")
  func blocking() {
    for (portion, blocks) in [(Portion.all, true), (Portion(millionths: 999_999), false), (half, false)] {
      #expect(Fault.loss(portion).blocks == blocks)
      #expect(Fault.shedding(portion, retryAfter: nil).blocks == blocks)
      #expect(Fault.burstLoss(enter: half, leave: half, good: portion, bad: .all).blocks == blocks)
    }
    #expect(!Fault.burstLoss(enter: half, leave: half, good: .all, bad: half).blocks)
    #expect(Fault.expiredCredentials(isRefreshable: false).blocks)
    #expect(!Fault.expiredCredentials(isRefreshable: true).blocks)
  }
}
