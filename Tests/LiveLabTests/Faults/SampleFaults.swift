// SPDX-License-Identifier: GPL-3.0-or-later
import LiveCore

@testable import LiveLab

/// Faults of every kind, with every choice that a kind has.
enum SampleFaults {
  static let all: [Fault] = [
    .halfOpen, .reset, .close(CloseCode(1_001), delay: .milliseconds(1_500)), .close(CloseCode(4_000), delay: .zero),
    .garbage(CloseCode(1_007)), .enormousFrame(bytes: 4_294_967_295), .blackHole, .partition(.up), .partition(.down),
    .latency(added: .milliseconds(300), jitter: Interval(nanoseconds: 1)), .bandwidth(bytesPerSecond: 4_000),
    .loss(Portion(millionths: 1)), .loss(.all),
    .burstLoss(enter: Portion(0.01), leave: Portion(0.3), good: .none, bad: Portion(0.8)),
    .idleCut(after: .seconds(60), isSilent: true), .idleCut(after: .seconds(60), isSilent: false),
    .nameNotFound(after: .seconds(5)), .captivePortal, .insecure, .refused,
    .refusal(status: 403, retryAfter: nil), .refusal(status: 429, retryAfter: .zero), .redirect(.secure),
    .redirect(.plain), .redirect(.unusable), .restart(.graceful, keepsHistory: true),
    .restart(.killed, keepsHistory: false), .restart(.vanished, keepsHistory: true),
    .shedding(Portion(0.5), retryAfter: nil), .shedding(.all, retryAfter: .seconds(3)),
    .acceptThenClose(CloseCode(1_013), after: .milliseconds(10)),
    .acceptThenClose(CloseCode(1_011), after: .seconds(1), resumes: true), .latePongs(delay: .seconds(8)), .noPongs,
    .sleep,
    .networkChange, .offline, .background, .clockSkew(millionths: -200), .clockSkew(millionths: 200),
    .expiredCredentials(isRefreshable: true), .expiredCredentials(isRefreshable: false),
  ]
}
