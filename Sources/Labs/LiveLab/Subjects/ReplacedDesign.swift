// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore

/// The design that this one replaces. It looked right: exponential backoff, a cap, ten attempts, some jitter. But the
/// attempts were forgotten on every connect, so it never gave up and never backed off; the jitter was a tenth, so a
/// restarted server met everyone at once; and a dead link was noticed only by luck, since nothing asked.
struct ReplacedDesign: BrokenVariant {
  var client: LiveConnection
  init(around client: LiveConnection) { self.client = client }

  static func change(_ settings: inout ConnectionSettings) {
    settings.proof.minimumUptime = .zero
    settings.backoff.jitter = .proportional(0.1)
    settings.heartbeat.interval = nil
  }
}
