// SPDX-License-Identifier: Apache-2.0
import LiveCore
import Testing

@Suite("The outbox under any sequence of events")
struct OutboxPropertyTests {
  /// What became of each number, told by the outbox, and what was sent on the connections.
  private struct Ledger {
    var outbox: Outbox
    var words: SplitMix64
    var now = Instant.zero
    var lastNumber: UInt64 = 0
    var ended: [MessageNumber: DropReason?] = [:]
    var everSent: Set<MessageNumber> = []
    var sentOnThisConnection: [MessageNumber] = []
    var effects = LiveEffects()

    mutating func step(_ policy: UnacknowledgedPolicy) {
      now = now + .milliseconds(Int64(words.below(800)))
      switch words.below(10) {
      case 0...4:
        lastNumber += 1
        outbox.enqueue(MessageNumber(lastNumber), bytes: words.below(60), at: now, into: &effects)
      case 5, 6: send(words.below(4))
      case 7: acknowledge()
      case 8: outbox.expire(at: now, into: &effects)
      default:
        outbox.connectionBroke(policy, into: &effects)
        sentOnThisConnection = []
      }
      settle()
    }

    private mutating func send(_ most: Int) {
      for _ in 0..<most {
        guard let number = outbox.nextToSend() else { return }
        sentOnThisConnection.append(number)
        everSent.insert(number)
      }
    }

    private mutating func acknowledge() {
      let through = MessageNumber(words.below(lastNumber + 3))
      let waiting = outbox.filter { $0.number <= through && everSent.contains($0.number) }.map(\.number)
      let last = outbox.acknowledge(through: through)
      #expect(last == waiting.last)
      for number in waiting { end(number, nil) }
    }

    private mutating func settle() {
      for effect in effects {
        guard case .dropped(let number, let reason) = effect else {
          Issue.record("\(effect)")
          continue
        }
        end(number, reason)
        #expect((reason == .uncertain) == everSent.contains(number))
      }
      effects.removeAll()
    }

    mutating func end(_ number: MessageNumber, _ reason: DropReason?) {
      #expect(ended.updateValue(reason, forKey: number) == nil, "\(number) ended twice")
    }

    func holds(seed: UInt64) {
      let waiting = outbox.map(\.number)
      #expect(waiting == waiting.sorted() && Set(waiting).count == waiting.count, "order, seed \(seed)")
      #expect(waiting.count + ended.count == Int(lastNumber), "each waits or has ended, seed \(seed)")
      #expect(waiting.allSatisfy { ended[$0] == nil })
      #expect(outbox.count <= outbox.limits.count && outbox.bytes <= outbox.limits.bytes, "bounds, seed \(seed)")
      #expect(outbox.bytes == outbox.reduce(0) { $0 + $1.bytes })
      #expect(outbox.map(\.isSent) == outbox.map { sentOnThisConnection.contains($0.number) }, "marks, seed \(seed)")
      #expect(sentOnThisConnection == sentOnThisConnection.sorted(), "sent in order, seed \(seed)")
      let oldest = outbox.first { !$0.isSent }
      #expect(outbox.nextExpiry == oldest.map { $0.queuedAt + outbox.limits.age })
    }
  }

  @Test(
    "each number ends once, in order, within the bounds, and is told as uncertain just when it was sent before",
    arguments: UnacknowledgedPolicy.allCases, OutboxLimits.Overflow.allCases)
  func anySequence(policy: UnacknowledgedPolicy, overflow: OutboxLimits.Overflow) {
    for seed in 0..<60 as Range<UInt64> {
      var words = SplitMix64(seed: seed)
      var limits = OutboxLimits()
      (limits.count, limits.bytes) = (1 + words.below(30), 1 + words.below(600))
      (limits.age, limits.overflow) = (.milliseconds(Int64(1 + words.below(20_000))), overflow)
      var ledger = Ledger(outbox: Outbox(limits), words: words)
      for _ in 0..<300 {
        ledger.step(policy)
        ledger.holds(seed: seed)
      }
      ledger.outbox.expire(at: ledger.now, into: &ledger.effects)
      ledger.outbox.close(into: &ledger.effects)
      #expect(ledger.outbox.isEmpty && ledger.outbox.nextExpiry == nil && ledger.outbox.nextToSend() == nil)
    }
  }
}
