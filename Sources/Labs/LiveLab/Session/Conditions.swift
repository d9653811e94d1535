// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore

/// The faults that hold at a moment, as the network, the server and the phone feel them: of one kind at most one. Each
/// is set by its kind's declaration.
struct Conditions {
  /// When one last began or ended.
  private(set) var changed: Int64 = 0
  /// How many of them let no attempt succeed.
  private(set) var blocks = 0
  var isBlackHole = false
  var partition: Fault.Direction?
  var isOffline = false
  var isAllLost = false
  var isAllLostInBursts = false
  var latency: (added: Int64, jitter: Int64)?
  var bytesPerSecond: Int64?
  var loss = 0.0
  var burst: BurstLoss?
  var idleCut: (after: Int64, isSilent: Bool)?
  var nameNotFound: Interval?
  var isCaptive = false
  var isInsecure = false
  var isRefused = false
  var refusal: Refusal?
  var redirect: Redirect?
  var departure: Fault.Departure?
  var shedding: (share: Double, retryAfter: Interval?)?
  var acceptThenClose: (code: CloseCode, after: Int64, resumes: Bool)?
  var pongDelay: Int64 = 0
  var isWithoutPongs = false
  var isAsleep = false
  var isInBackground = false
  var expired: (since: Int64, isRefreshable: Bool)?

  // What follows from them.

  /// Whether frames take just the time of the network's own model.
  private(set) var isPlain = true
  private(set) var isUpBlocked = false
  private(set) var isDownBlocked = false
  /// Whether a ping is not simply answered.
  private(set) var delaysPings = false

  var isBlocked: Bool { isUpBlocked || isDownBlocked }

  /// Takes in that a fault begins to hold, or is over.
  mutating func set(_ fault: Fault, _ holds: Bool, at now: Int64) {
    if fault.blocks { blocks += holds ? 1 : -1 }
    changed = now
    fault.kind.declaration.set(&self, holds ? fault : nil)
    isPlain = latency == nil && bytesPerSecond == nil && loss == 0 && burst == nil
    let isCut = isBlackHole || isOffline || isAllLost || isAllLostInBursts || departure == .vanished
    isUpBlocked = isCut || partition == .up
    isDownBlocked = isCut || partition == .down
    delaysPings = isBlocked || isAsleep || isWithoutPongs || pongDelay > 0
  }
}

/// A way that is good or bad, and may change after each packet.
///
/// Sources: Gilbert, "Capacity of a burst-noise channel", Bell System Technical Journal 39 (1960); Elliott, "Estimates
/// of error rates for codes on burst-noise channels", Bell System Technical Journal 42 (1963).
struct BurstLoss {
  let enter: Double
  let leave: Double
  let good: Double
  let bad: Double
  private(set) var isBad = false

  init(enter: Double, leave: Double, good: Double, bad: Double) {
    (self.enter, self.leave, self.good, self.bad) = (enter, leave, good, bad)
  }

  /// Whether the next packet is lost.
  mutating func losesPacket(using random: inout SessionRandom) -> Bool {
    let isLost = random.happens(isBad ? bad : good)
    if random.happens(isBad ? leave : enter) { isBad.toggle() }
    return isLost
  }
}
