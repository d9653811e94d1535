// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore

/// The faults that hold at a moment, as the network, the server and the phone feel them. Of one kind at most one holds.
struct Conditions {
  /// How many faults hold that let no attempt succeed.
  var blocks = 0
  var isBlackHole = false
  var partition: Fault.Direction?
  var isOffline = false
  var isLost = false
  var latency: (added: Int64, jitter: Int64)?
  var bytesPerSecond: Int64?
  var loss = 0.0
  var burst: BurstLoss?
  var idleCut: (after: Int64, isSilent: Bool)?
  /// What an attempt comes to before it reaches the server: the fault of each kind that says so.
  var nameNotFound: Interval?
  var isCaptive = false
  var isInsecure = false
  var isRefused = false
  var refusal: Refusal?
  var redirect: Redirect?
  var departure: Fault.Departure?
  var shedding: (share: Double, retryAfter: Interval?)?
  var acceptThenClose: (code: CloseCode, after: Interval, resumes: Bool)?
  var pongDelay: Int64 = 0
  var isWithoutPongs = false
  var isAsleep = false
  var isInBackground = false
  var expired: (since: Int64, isRefreshable: Bool)?
  /// Whether frames take just the time of the network's own model.
  var isPlain = true
  var isUpBlocked = false
  var isDownBlocked = false
  /// Whether a ping is not simply answered.
  var delaysPings = false

  /// Takes in that a fault begins to hold, or is over.
  mutating func set(_ fault: Fault, _ holds: Bool, at now: Int64) {
    if fault.blocks { blocks += holds ? 1 : -1 }
    setWay(fault, holds)
    setAttempts(fault, holds, at: now)
    isPlain = latency == nil && bytesPerSecond == nil && loss == 0 && burst == nil
    let isCut = isBlackHole || isOffline || isLost || departure == .vanished
    isUpBlocked = isCut || partition == .up
    isDownBlocked = isCut || partition == .down
    delaysPings = isUpBlocked || isDownBlocked || isAsleep || isWithoutPongs || pongDelay > 0
  }

  private mutating func setWay(_ fault: Fault, _ holds: Bool) {
    switch fault {
    case .blackHole: isBlackHole = holds
    case .partition(let direction): partition = holds ? direction : nil
    case .latency(let added, let jitter): latency = holds ? (added.nanoseconds, jitter.nanoseconds) : nil
    case .bandwidth(let rate): bytesPerSecond = holds ? Int64(max(rate, 1)) : nil
    case .loss(let portion):
      if portion == .all { isLost = holds } else { loss = holds ? portion.share : 0 }
    case .burstLoss(let enter, let leave, let good, let bad):
      burst = holds ? BurstLoss(enter: enter.share, leave: leave.share, good: good.share, bad: bad.share) : nil
      if fault.blocks { isLost = holds }
    case .idleCut(let after, let isSilent): idleCut = holds ? (after.nanoseconds, isSilent) : nil
    case .offline: isOffline = holds
    case .latePongs(let delay): pongDelay = holds ? delay.nanoseconds : 0
    case .noPongs: isWithoutPongs = holds
    case .sleep: isAsleep = holds
    case .background: isInBackground = holds
    default: break
    }
  }

  private mutating func setAttempts(_ fault: Fault, _ holds: Bool, at now: Int64) {
    switch fault {
    case .nameNotFound(let after): nameNotFound = holds ? after : nil
    case .captivePortal: isCaptive = holds
    case .insecure: isInsecure = holds
    case .refused: isRefused = holds
    case .refusal(let status, let retryAfter):
      refusal = holds ? Refusal(status: status, retryAfter: retryAfter) : nil
    case .redirect(let target): redirect = holds ? target : nil
    case .restart(let how, _, _): departure = holds ? how : nil
    case .shedding(let portion, let retryAfter): shedding = holds ? (portion.share, retryAfter) : nil
    case .acceptThenClose(let code, let after, let resumes):
      acceptThenClose = holds ? (code, after, resumes) : nil
    case .expiredCredentials(let isRefreshable): expired = holds ? (now, isRefreshable) : nil
    default: break
    }
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
  var isBad = false

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
