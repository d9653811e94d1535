// SPDX-License-Identifier: Apache-2.0
import LiveCore
import Testing

@Suite("The outbox")
struct OutboxTests {
  private var effects = LiveEffects()

  private func number(_ value: UInt64) -> MessageNumber { MessageNumber(value) }

  private func limits(count: Int = 4, bytes: Int = 1_000, age: Interval = .seconds(10)) -> OutboxLimits {
    var limits = OutboxLimits()
    (limits.count, limits.bytes, limits.age) = (count, bytes, age)
    return limits
  }

  private mutating func filled(_ limits: OutboxLimits, _ count: UInt64, bytes: Int = 10) -> Outbox {
    var outbox = Outbox(limits)
    for value in 1...count {
      outbox.enqueue(number(value), bytes: bytes, at: .zero + .seconds(Int64(value)), into: &effects)
    }
    return outbox
  }

  @Test("messages without an age wait for ever") mutating func noAge() {
    let outbox = filled(limits(age: .forever), 2)
    #expect(outbox.nextExpiry == nil)
  }

  @Test("a known number is not queued again") mutating func seenNumber() {
    var outbox = filled(limits(), 2)
    #expect(!outbox.enqueue(number(2), bytes: 10, at: .zero, into: &effects))
    #expect(outbox.count == 2)
    #expect(effects.isEmpty)
  }

  @Test("limits of zero or less hold nothing, and no size or limit traps") mutating func nothing() {
    for (count, bytes) in [(0, 10), (10, -1), (-1, .min)] {
      var outbox = Outbox(limits(count: count, bytes: bytes))
      #expect(!outbox.enqueue(number(1), bytes: -5, at: .zero, into: &effects))
    }
    var outbox = Outbox(limits(bytes: 0))
    #expect(outbox.enqueue(number(1), bytes: -5, at: .zero, into: &effects))
    #expect(!outbox.enqueue(number(2), bytes: .max, at: .zero, into: &effects))
    #expect(outbox.bytes == 0)
  }

  @Test("limits that shrink drop the oldest messages, and never trap") mutating func shrunk() {
    var outbox = filled(limits(count: 9), 4)
    outbox.limits = limits(count: 9, bytes: 25)
    #expect(outbox.enqueue(number(5), bytes: 10, at: .zero, into: &effects))
    #expect(Array(effects) == [1, 2, 3].map { .dropped(number($0), .overflow) } && outbox.bytes == 20)
    for (index, bytes) in [5, 0, -1, Int.min].enumerated() {
      outbox.limits = limits(count: 9, bytes: bytes)
      #expect(!outbox.enqueue(number(UInt64(100 + index)), bytes: 10, at: .zero, into: &effects))
    }
    #expect(outbox.numbers == [4, 5].map(number))
  }

  @Test("many messages keep their order while the buffer grows and is used again")
  mutating func growth() {
    var outbox = Outbox(limits(count: 5_000, bytes: .max))
    var (next, expected) = (UInt64(1), UInt64(1))
    for round in 1...40 as ClosedRange<UInt64> {
      for _ in 0..<(3 * round) {
        #expect(outbox.enqueue(number(next), bytes: 1, at: .zero, into: &effects))
        next += 1
      }
      for _ in 0..<(2 * round) {
        #expect(outbox.nextToSend() == number(expected))
        #expect(outbox.acknowledge(through: number(expected)) == number(expected))
        expected += 1
      }
    }
    #expect(outbox.numbers == (expected..<next).map(number) && outbox.bytes == outbox.count)
    #expect(effects.isEmpty)
  }
}
