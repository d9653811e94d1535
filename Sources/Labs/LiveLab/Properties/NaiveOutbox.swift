// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore
internal import PropertyTesting
internal import Reporting

/// An operation on an outbox. Times are whole seconds.
enum OutboxUse: Hashable, Sendable, CustomStringConvertible {
  case enqueue(number: Int, bytes: Int, at: Int)
  case sends, acknowledged(Int), breaks(UnacknowledgedPolicy), expires(at: Int), closes

  var description: String {
    switch self {
    case .enqueue(let number, let bytes, let at):
      "message\(number > 0 ? " \(number)" : "") of \(NumberFormat.counted(bytes, "byte")) at \(at) s"
    case .sends: "send"
    case .acknowledged(let number): "acknowledged \(number)"
    case .breaks(.sendAgain): "break and send again"
    case .breaks(.drop): "break and drop"
    case .expires(let at): "expire at \(at) s"
    case .closes: "close"
    }
  }

  /// The operation with the number after the last one if it is a new message.
  func numbered(after last: Int) -> OutboxUse {
    if case .enqueue(_, let bytes, let at) = self { return .enqueue(number: last + 1, bytes: bytes, at: at) }
    return self
  }

  func apply(to outbox: inout Outbox, into effects: inout LiveEffects) {
    switch self {
    case .enqueue(let number, let bytes, let at):
      outbox.enqueue(MessageNumber(UInt64(number)), bytes: bytes, at: .zero + .seconds(Int64(at)), into: &effects)
    case .sends: if let number = outbox.nextToSend() { effects.append(.sendMessage(.none, number)) }
    case .acknowledged(let number):
      if let last = outbox.acknowledge(through: MessageNumber(UInt64(number))) {
        effects.append(.acknowledged(through: last))
      }
    case .breaks(let policy): outbox.connectionBroke(policy, into: &effects)
    case .expires(let at): outbox.expire(at: .zero + .seconds(Int64(at)), into: &effects)
    case .closes: outbox.close(into: &effects)
    }
  }

  static func any() -> Gen<OutboxUse> {
    let at = Gen<Int>.integers(in: 0...20)
    return .oneOf(weighted: [
      (4, zip(Gen<Int>.integers(in: 0...5), at).map { .enqueue(number: 0, bytes: $0, at: $1) }),
      (3, .just(.sends)), (2, Gen<Int>.integers(in: 0...8).map { .acknowledged($0) }),
      (1, Gen<UnacknowledgedPolicy>.cases().map { .breaks($0) }), (1, at.map { .expires(at: $0) }),
      (1, .just(.closes)),
    ])
  }

  static func limits() -> Gen<DrawnLimits> {
    zip(
      Gen<Int>.integers(in: 1...4), Gen<Int>.integers(in: 1...12), Gen<Int>.integers(in: 1...10),
      Gen<OutboxLimits.Overflow>.cases()
    ).map { count, bytes, age, overflow in
      var limits = OutboxLimits()
      (limits.count, limits.bytes, limits.age, limits.overflow) = (count, bytes, .seconds(Int64(age)), overflow)
      return DrawnLimits(limits: limits)
    }
  }
}

struct DrawnLimits: Sendable, CustomStringConvertible {
  let limits: OutboxLimits

  var description: String {
    "\(NumberFormat.counted(limits.count, "message")), \(NumberFormat.counted(limits.bytes, "byte")), "
      + "\(limits.age.inSeconds), then the "
      + (limits.overflow == .dropOldest ? "oldest goes" : "newest goes")
  }
}

/// An outbox as a plain list.
struct NaiveOutbox {
  private struct Message {
    let number: Int
    let bytes: Int
    let at: Int
    var isSent = false
    var wasSent = false
  }

  private let limits: OutboxLimits
  private var messages: [Message] = []
  private(set) var last = 0
  private var sentEver = 0

  init(_ limits: OutboxLimits) { self.limits = limits }

  var numbers: [MessageNumber] { messages.map { MessageNumber(UInt64($0.number)) } }

  mutating func apply(_ use: OutboxUse) -> [LiveEffect] {
    switch use {
    case .enqueue(let number, let bytes, let at): return enqueue(Message(number: number, bytes: bytes, at: at))
    case .sends:
      guard let next = messages.firstIndex(where: { !$0.isSent }) else { return [] }
      (messages[next].isSent, messages[next].wasSent) = (true, true)
      sentEver = max(sentEver, messages[next].number)
      return [.sendMessage(.none, numbers[next])]
    case .acknowledged(let number):
      let lastSent = sentEver
      let settled = messages.filter { $0.number <= min(number, lastSent) }
      messages.removeAll { $0.number <= min(number, lastSent) }
      return settled.last.map { [.acknowledged(through: MessageNumber(UInt64($0.number)))] } ?? []
    case .breaks(.sendAgain):
      for index in messages.indices { messages[index].isSent = false }
      return []
    case .breaks(.drop): return drop(.uncertain) { $0.isSent }
    case .expires(let at):
      // Only the oldest unsent message is checked; younger ones wait behind it.
      var dropped: [LiveEffect] = []
      while let first = messages.first(where: { !$0.isSent }), .seconds(Int64(at - first.at)) >= limits.age {
        dropped += drop(.age) { $0.number == first.number }
      }
      return dropped
    case .closes: return drop(.closed) { _ in true }
    }
  }

  private mutating func enqueue(_ message: Message) -> [LiveEffect] {
    last = message.number
    let sent = messages.filter(\.isSent)
    let kept = limits.overflow == .dropOldest ? sent : messages
    guard kept.count < limits.count, bytes(of: kept) + message.bytes <= limits.bytes else {
      return [.dropped(MessageNumber(UInt64(message.number)), .overflow)]
    }
    var dropped: [LiveEffect] = []
    while messages.count >= limits.count || bytes(of: messages) + message.bytes > limits.bytes {
      guard let first = messages.first(where: { !$0.isSent }) else { break }
      dropped += drop(.overflow) { $0.number == first.number }
    }
    messages.append(message)
    return dropped
  }

  private func bytes(of messages: [Message]) -> Int { messages.reduce(0) { $0 + $1.bytes } }

  private mutating func drop(_ reason: DropReason, _ isGone: (Message) -> Bool) -> [LiveEffect] {
    let gone = messages.filter(isGone)
    messages.removeAll(where: isGone)
    return gone.map { .dropped(MessageNumber(UInt64($0.number)), $0.wasSent ? .uncertain : reason) }
  }
}
