// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore
internal import LiveLab
internal import NIOCore

/// One way of a connection: the data that one end sent and the other has not received yet.
///
/// Data are held in order, each with the earliest time at which they may continue; `pump` forwards what is due. Without
/// faults bytes pass through without being held.
///
/// TCP loses no data, so a lost packet arrives late instead: by `NetworkModel.retransmission`, doubled for each further
/// loss, as in the simulation. A piece of data is as many packets as its bytes need, sent at once, and arrives with the
/// last of them. Later data wait for it, since the order is kept.
final class Pipe {
  enum Held {
    case bytes(ByteBuffer, due: Int64)
    /// A number of zero bytes that nobody sent; they are made when they can be sent.
    case zeros(Int64)
    case ending(Ending, due: Int64)
  }

  enum Ending {
    /// The end of the data of this way; the other way continues.
    case end
    /// The sender's reset.
    case reset
    /// The end of the connection.
    case close
  }

  private unowned let relay: Relay
  let way: Fault.Direction
  private let core: ProxyCore
  private let draws: RandomSource?
  private(set) var held: CircularBuffer<Held> = []
  private(set) var bytesHeld = 0
  /// True if the source would be read if there were room.
  private var wantsRead = false
  private var isPumping = false
  private var lastDue: Int64 = 0
  /// Nothing is forwarded before this time, because of an earlier slice or a retransmission.
  private var notBefore: Int64 = 0
  /// The time since which data wait for the end of a blocking fault.
  private var blockedSince: Int64?
  /// The number of bytes received; `passed` is the number forwarded.
  private var taken: Int64 = 0
  private var passed: Int64 = 0
  /// The number received before a limit of the bytes from its own beginning.
  private var takenBefore: Int64 = 0
  /// True if bytes were lost, so that the rest is of no use.
  private(set) var hasLost = false
  /// The number of bytes after which nothing is forwarded during a stalled handshake.
  var stallsAfter: Int64?
  private var burst: (index: Int, loss: BurstLoss)?
  /// The traffic within the current period of `BusyCut.within`.
  private var busy: (since: Int64, bytes: Int64, messages: Int64) = (0, 0, 0)
  // Forwarding may end the connection, so the relay is kept alive until it returns.
  private lazy var alarm = Alarm { [weak self] in if let self { withExtendedLifetime(relay) { self.pump() } } }

  /// True if the source has ended; `isFinished` is whether the target knows.
  private(set) var isEnded = false
  private(set) var isFinished = false

  private static let slicesAtOnce = 256
  private static let packetBytes = 1_460

  init(_ way: Fault.Direction, of relay: Relay) {
    (self.way, self.relay, core) = (way, relay, relay.core)
    draws = way == .up ? relay.draws?.up : relay.draws?.down
  }

  private var conditions: Conditions { relay.conditions(way) }
  /// The source; nil before it is connected and after it is closed.
  var source: (any Channel)? { way == .up ? relay.client : relay.upstream }
  var target: (any Channel)? { way == .up ? relay.upstream : relay.client }

  // MARK: Reading

  /// Returns true if the source may be read now; if not, it is read as soon as there is room.
  func mayRead() -> Bool {
    wantsRead = !hasRoom
    return hasRoom
  }

  private var hasRoom: Bool {
    relay.isRelaying && bytesHeld < core.plan.bounds.bytesHeld && (target?.isWritable ?? true) && !hasZeros
  }

  private var hasZeros: Bool { if case .zeros? = held.first { true } else { false } }

  func readIfWanted() {
    guard wantsRead, hasRoom else { return }
    wantsRead = false
    source?.read()
  }

  // MARK: Input

  func take(_ bytes: ByteBuffer) {
    if core.isQuiet, held.isEmpty, relay.isPlain, let target {
      taken &+= Int64(bytes.readableBytes)
      passed &+= Int64(bytes.readableBytes)
      target.write(bytes, promise: nil)
      return
    }
    relay.take(bytes, way)
  }

  /// Flushes after all available data have been read.
  func readComplete() {
    target?.flush()
    readIfWanted()
  }

  func carry(_ bytes: ByteBuffer, later: Int64 = 0) {
    var bytes = bytes
    let conditions = conditions
    var isOverLimit = false
    if let lifetime = conditions.lifetime, lifetime.isFromData { return loseAndCut(after: lifetime.after) }
    if let limit = conditions.byteLimit {
      let room = max(0, limit.bytes &- (limit.isFromBeginning ? taken &- takenBefore : taken))
      if bytes.readableBytes >= room {
        bytes = bytes.getSlice(at: bytes.readerIndex, length: Int(room)) ?? ByteBuffer()
        isOverLimit = true
      }
    }
    taken &+= Int64(bytes.readableBytes)
    if let cut = conditions.busyCut, isBusy(cut, bytes: Int64(bytes.readableBytes), messages: 0) {
      core.note(.busyCut, way)
      return relay.reset()
    }
    if conditions.corruption > 0 { corrupt(&bytes, share: conditions.corruption) }
    if bytes.readableBytes > 0 {
      lastDue = max(lastDue, due(bytes: bytes.readableBytes, conditions) &+ later)
      bytesHeld += bytes.readableBytes
      hold(.bytes(bytes, due: lastDue))
    }
    if isOverLimit {
      core.note(.limitData, way)
      hold(.ending(.close, due: lastDue))
    }
    pump()
  }

  private func hold(_ item: Held) {
    held.append(item)
    noteBlocked()
  }

  private func noteBlocked() {
    guard isBlocked else { return }
    core.noteBlocked(way, conditions)
    if blockedSince == nil { blockedSince = core.timers.now }
  }

  /// Inserts bytes that the source did not send after those that it did.
  func insertZeros(_ count: Int64) {
    held.append(.zeros(count))
    pump()
  }

  func end() {
    guard !isEnded else { return }
    isEnded = true
    if let lifetime = conditions.lifetime, lifetime.isFromData { return loseAndCut(after: lifetime.after) }
    let wait = conditions.closeDelay
    if wait > 0 { core.note(.slowClose, way) }
    end(.end, later: wait)
  }

  func reset() {
    isEnded = true
    end(.reset)
  }

  private func loseAndCut(after time: Int64) {
    hasLost = true
    relay.cut(after: time)
  }

  /// Loses all bytes that are held.
  private func lose() {
    hasLost = hasLost || bytesHeld > 0
    held.removeAll { if case .ending = $0 { false } else { true } }
    bytesHeld = 0
  }

  /// Ends the connection some time after the held data have passed.
  func close(later: Int64) { end(.close, later: later) }

  private func end(_ ending: Ending, later: Int64 = 0) {
    lastDue = max(lastDue, due(bytes: 0, conditions) &+ later)
    hold(.ending(ending, due: lastDue))
    pump()
  }

  func isBusy(_ cut: BusyCut, bytes: Int64, messages: Int64) -> Bool {
    let now = core.timers.now
    if now &- busy.since >= cut.within { busy = (now, 0, 0) }
    busy.bytes &+= bytes
    busy.messages &+= messages
    return busy.bytes > cut.bytes ?? .max || busy.messages > cut.messages ?? .max
  }

  private func corrupt(_ bytes: inout ByteBuffer, share: Double) {
    guard let draws else { return }
    var changed = false
    for index in bytes.readerIndex..<bytes.writerIndex where draws.random.happens(share) {
      guard let byte: UInt8 = bytes.getInteger(at: index) else { continue }
      bytes.setInteger(byte ^ (1 << UInt8(truncatingIfNeeded: draws.random.below(8))), at: index)
      changed = true
    }
    if changed { core.note(.corruption, way) }
  }

  // MARK: Delays

  /// The time of arrival of data sent now.
  private func due(bytes: Int, _ conditions: Conditions) -> Int64 {
    core.timers.now &+ transit(bytes: bytes, conditions)
  }

  private func transit(bytes: Int, _ conditions: Conditions) -> Int64 {
    var time: Int64 = 0
    if let network = core.plan.network { time = defaultTransit(network) }
    guard let draws else { return time }
    if let latency = conditions.latency {
      time &+= max(0, latency.added &+ Int64(draws.random.unit() * Double(latency.jitter)))
      core.note(.latency, way)
    }
    if conditions.loss > 0 || conditions.burst != nil {
      let packets = max(1, (bytes + Self.packetBytes - 1) / Self.packetBytes)
      time &+= (0..<packets).reduce(0) { longest, _ in
        max(longest, core.network.timeLost { losesPacket(conditions, draws) })
      }
    }
    return time
  }

  /// The delay of the network without faults.
  func defaultTransit(_ network: NetworkModel) -> Int64 {
    network.latency.nanoseconds &+ (draws?.random.halfWaiting(step: network.jitterStep) ?? 0)
  }

  private func losesPacket(_ conditions: Conditions, _ draws: RandomSource) -> Bool {
    let isLost = draws.random.happens(conditions.loss)
    if isLost { core.note(.loss, way) }
    guard let `default` = conditions.burst, let index = core.index(of: .burstLoss, way) else { return isLost }
    var loss = `default`
    if let burst, burst.index == index {
      loss = burst.loss
    } else {
      // The first packet of a connection is as likely to be lost as any.
      loss.settle(using: &draws.random)
    }
    let isLostInBurst = loss.losesPacket(using: &draws.random)
    burst = (index, loss)
    if isLostInBurst { core.note(.burstLoss, way) }
    return isLost || isLostInBurst
  }

  // MARK: Output

  /// True if the way is blocked.
  var isBlocked: Bool {
    let conditions = conditions
    return way == .up ? conditions.isUpBlocked : conditions.isDownBlocked
  }

  /// Forwards what is due, in a loop, with a pause for other connections after some slices.
  func pump() {
    guard !isPumping, relay.isRelaying, !held.isEmpty else { return }
    isPumping = true
    defer { isPumping = false }
    let conditions = conditions
    if let stop = conditions.stop {
      core.note(.timeout, way)
      if !stop.losesData { return }
      lose()
    }
    if isBlocked { return }
    for _ in 0..<Self.slicesAtOnce {
      guard let first = held.first else { break }
      let now = core.timers.now
      switch first {
      case .bytes(let bytes, let due):
        let moment = max(due, notBefore)
        if moment > now { return wait(until: moment) }
        guard canWrite, let count = slice(bytes.readableBytes, conditions, now) else { return }
        letGo(bytes, count: count, due: due)
      case .zeros(let count):
        if notBefore > now { return wait(until: notBefore) }
        guard canWrite, let size = slice(Int(clamping: min(count, 65_536)), conditions, now) else { return }
        held[held.startIndex] = .zeros(count - Int64(size))
        if count == Int64(size) { held.removeFirst() }
        relay.deliver(ByteBuffer(repeating: 0, count: size), way)
      case .ending(let ending, let due):
        let moment = max(due, notBefore)
        if moment > now { return wait(until: moment) }
        held.removeFirst()
        finish(ending)
      }
      if !relay.isRelaying { return }
    }
    readIfWanted()
    if !held.isEmpty { wait(until: core.timers.now &+ 1) }
  }

  /// True if the target accepts bytes; a played server accepts all.
  private var canWrite: Bool { target?.isWritable ?? relay.isPlayed }

  private func letGo(_ bytes: ByteBuffer, count: Int, due: Int64) {
    var rest = bytes
    guard let part = rest.readSlice(length: count) else { return }
    if rest.readableBytes == 0 { held.removeFirst() } else { held[held.startIndex] = .bytes(rest, due: due) }
    bytesHeld -= count
    relay.deliver(part, way)
  }

  /// The number of bytes that may be sent at once, with the time of the next slice; nil during a stalled handshake.
  private func slice(_ bytes: Int, _ conditions: Conditions, _ now: Int64) -> Int? {
    var count = bytes
    if let stallsAfter {
      count = Int(clamping: min(Int64(count), stallsAfter &- passed))
      if count <= 0 { return nil }
    }
    var wait: Int64 = 0
    if let slices = conditions.slices {
      var size = slices.bytes
      if slices.variation > 0, let draws {
        size = max(1, size &- slices.variation &+ Int64(draws.random.below(UInt64(2 * slices.variation + 1))))
      }
      if size < count {
        count = Int(size)
        core.note(.slicer, way)
      }
      wait = slices.delay
    }
    let rate = min(conditions.bytesPerSecond ?? .max, core.plan.network?.bytesPerSecond ?? .max)
    if rate < .max {
      // At once the bytes of some milliseconds, and at least one byte.
      count = min(count, Int(clamping: max(1, rate / 50)))
      wait &+= Int64(Double(count) / Double(max(1, rate)) * 1e9)
      if conditions.bytesPerSecond == rate { core.note(.bandwidth, way) }
    }
    if wait > 0 { notBefore = now &+ wait }
    passed &+= Int64(count)
    return count
  }

  private func wait(until moment: Int64) { core.timers.set(alarm, at: moment) }

  private func finish(_ ending: Ending) {
    switch ending {
    case .end:
      guard let target else { return reportEnd() }
      // After all data written but not yet sent.
      target.close(mode: .output).assumeIsolated().whenComplete { [weak self] _ in
        if let self { withExtendedLifetime(relay) { self.reportEnd() } }
      }
    case .reset: relay.reset()
    case .close: relay.close()
    }
  }

  private func reportEnd() {
    isFinished = true
    relay.finished(way)
  }

  // MARK: Faults that begin or end

  /// Handles the beginning of a fault that affects bytes, which may block data already held.
  func began(_ kind: Fault.Kind) {
    if kind == .limitData { takenBefore = taken }
    if !held.isEmpty { noteBlocked() }
  }

  /// Handles the end of such a fault: held data continue at once, or with the next TCP retransmission.
  func ended(_ kind: Fault.Kind) {
    switch kind {
    case .latency, .loss, .burstLoss: hurry()
    case .slicer, .bandwidth: notBefore = min(notBefore, core.timers.now)
    case .slowClose: hurry()
    case .handshakeStall: stallsAfter = nil
    default: break
    }
    if let since = blockedSince, !isBlocked {
      blockedSince = nil
      if !held.isEmpty {
        notBefore = max(notBefore, core.network.moment(ofResending: since, from: core.timers.now, isFirst: false))
      }
    }
    pump()
  }

  /// Removes the remaining delays of all held data.
  private func hurry() {
    let now = core.timers.now
    lastDue = min(lastDue, now)
    for index in held.indices {
      switch held[index] {
      case .bytes(let bytes, let due): held[index] = .bytes(bytes, due: min(due, now))
      case .ending(.close, _), .zeros: break
      case .ending(let ending, let due): held[index] = .ending(ending, due: min(due, now))
      }
    }
  }

  func drop() {
    held.removeAll()
    bytesHeld = 0
    blockedSince = nil
    core.timers.cancel(alarm)
  }
}
