// SPDX-License-Identifier: GPL-3.0-or-later
import LiveLab
import PropertyTesting
import PropertyTestingHost
import Testing

/// The faults that are put into the live core on purpose, each with the property that notices it.
private enum Planted {
  static let all = attempts + links + timers + messages + policies

  private static let attempts: [PlantedFault] = [
    fault("live-replaced-design", 3, within: 5, "live/1 for=16m; 1m reset", "1"),
    fault("live-resets-on-open", 1, within: 50, "live/1 for=16m; 1m reset, seed 1"),
    fault("live-never-resets", 1, within: 50, "live/1 for=17m; 1m no-pongs for=1m, seed 1"),
    fault("live-counts-twice", 1, within: 100, "live/1 for=17m; 1m restart for=1m how=killed history=kept, seed 1"),
    fault("live-never-suspends", 1, within: 200, "live/1 for=21m; 1m black-hole for=5m, seed 1"),
    fault(
      "live-forgets-the-floor", 1, within: 200,
      "live/1 for=15m10s; 0s accept-then-close for=10s code=1011 after=0s resumes=no, seed 1"),
    fault("live-knows-no-jitter", 3, within: 5, "live/1 for=16m; 1m reset", "1"),
    fault("live-loops-on-token", 1, within: 1000, "live/1 for=15m10s; 0s refusal for=10s status=401, seed 1"),
    fault(
      "live-ignores-retry-after", 1, within: 500,
      "live/1 for=15m10s; 0s refusal for=10s status=503 retry-after=1m, seed 1"),
    fault("live-meets-at-the-date", 12, within: 5, "1", "0", "false", "1"),
    fault("live-misses-refusals", 1, within: 500, "live/1 for=15m10s; 0s refusal for=10s status=401, seed 1"),
    fault("live-leaks-the-lock", 1, within: 100, "live/1 for=15m; 0s network-change, seed 1"),
  ]

  private static let links: [PlantedFault] = [
    fault("live-sends-no-pings", 1, within: 100, "live/1 for=16m; 1m half-open, seed 1"),
    fault("live-waits-for-the-kernel", 1, within: 200, "live/1 for=15m10s; 0s black-hole for=10s, seed 1"),
    fault("live-closes-politely", 1, within: 100, "live/1 for=16m; 1m half-open, seed 1"),
    fault("live-own-close-is-final", 1, within: 100, "live/1 for=16m; 1m half-open, seed 1"),
    fault("live-leaves-orphans", 1, within: 20, "live/1 for=16m; 1m half-open, seed 1"),
    fault("live-drops-with-handshake", 1, within: 5, "live/1 for=15m, seed 1"),
    fault("live-doubles-itself", 1, within: 20, "live/1 for=15m, seed 1"),
  ]

  private static let timers: [PlantedFault] = [
    fault("live-keeps-connect-timeouts", 1, within: 500, "live/1 for=15m; 0s reset, seed 1"),
    fault("live-keeps-heartbeats", 1, within: 1000, "live/1 for=1m1s; 1m half-open, seed 1"),
    fault(
      "live-believes-old-deadlines", 1, within: 300,
      "live/1 for=17m10s; 1m half-open; 1m10s sleep for=1m, seed 1"),
    fault("live-reuses-timer-tags", 1, within: 5, "live/1 for=15m, seed 1"),
    fault("live-returns-from-the-dead", 1, within: 1000, "live/1 for=1m1s; 1m garbage code=1002, seed 1"),
  ]

  private static let messages: [PlantedFault] = [
    fault(
      "live-flushes-backwards", 2, within: 500,
      "seed 0: sends, sends, opens under 2 attempts, 2 messages, no stream"),
    fault(
      "live-forgets-the-unacknowledged", 1, within: 1000,
      "live/1 for=20m; 0s idle-cut for=5m after=10s silent=yes, seed 1"),
    fault("live-queues-without-end", 2, within: 100, "seed 0: sends, sends under 1 attempts, 1 messages"),
    fault("live-listens-again", 1, within: 50, "live/1 for=21m; 1m offline for=5m, seed 1"),
    fault("live-hides-gaps", 1, within: 300, "live/1 for=16m10s; 1m restart for=10s how=killed history=lost, seed 1"),
    fault("live-answers-twice", 1, within: 10, "live/1 for=15m, seed 1"),
    fault("live-shows-the-past", 1, within: 50, "live/1 for=16m; 1m reset, seed 1"),
    fault("live-announces-nothing", 1, within: 5, "live/1 for=15m, seed 1"),
  ]

  private static let policies: [PlantedFault] = [
    fault("live-forgets-the-cap", 4, within: 500),
    fault("live-one-attempt-more", 5, within: 200),
    fault("live-dates-by-own-clock", 6, within: 50, "1", "1600000000", "1"),
    fault("live-forgets-who-closed", 7, within: 500, "1002", ".client"),
    fault("live-follows-to-plain", 8, within: 200, ".plain", "true", "0"),
    fault(
      "live-takes-acks-for-all", 9, within: 500, "1 message, 1 byte, 1 s, then the oldest goes",
      "[message of 0 bytes at 0 s, acknowledged 1]"),
    fault("live-forgets-epochs", 10, within: 500, "[1/1, 2/1]"),
  ]

  private static func fault(_ subject: String, _ property: Int, within cases: Int, _ smallest: String...)
    -> PlantedFault
  {
    PlantedFault(subject, caughtBy: "live.\(property)", within: cases, smallest: smallest)
  }
}

@Suite("Broken on purpose, the live core")
struct BrokenLiveTests {
  @Test("is caught, and the counterexample is the smallest", arguments: Planted.all)
  func caught(fault: PlantedFault) throws {
    try fault.expectCaught(in: LiveProperties.catalogue)
  }

  @Test("every subject of the catalogue is held to its property")
  func complete() {
    #expect(Planted.all.map(\.subject) == LiveProperties.catalogue.subjects.map(\.name))
  }
}
