// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import VirtualTime

@Suite("An event queue")
struct EventQueueTests {
  @Test("orders a million events as a stable sort does")
  func million() {
    var scatter = SplitMix64(seed: 1)
    var queue = EventQueue<Int>()
    // A thousand moments for a million events: most of them are shared, so the order of scheduling decides.
    let times = (0..<1_000_000).map { _ in Int64(scatter.next() % 1000) }
    for (number, time) in times.enumerated() { queue.schedule(number, at: VirtualInstant(nanoseconds: time)) }
    let sorted = times.indices.sorted { (times[$0], $0) < (times[$1], $1) }
    var taken: [Int] = []
    while let (time, number) = queue.next() {
      if time.nanoseconds != times[number] { Issue.record("event \(number) came at \(time)") }
      taken.append(number)
    }
    #expect(taken == sorted)
    #expect(queue.isEmpty)
  }

  @Test("agrees with a sorted list under random scheduling, cancelling and taking", arguments: 0..<20)
  func model(seed: Int) {
    var scatter = SplitMix64(seed: UInt64(seed))
    var queue = EventQueue<Int>()
    var model: [(time: Int64, number: Int, token: EventQueue<Int>.Token)] = []
    var gone: [EventQueue<Int>.Token] = []
    for number in 0..<5000 {
      switch scatter.next() % 8 {
      case 0...3:
        let time = Int64(scatter.next() % 50)
        let token = queue.schedule(number, at: VirtualInstant(nanoseconds: time))
        model.insert((time, number, token), at: model.firstIndex { $0.time > time } ?? model.endIndex)
      case 4...5 where !model.isEmpty:
        let victim = model.remove(at: Int(scatter.next() % UInt64(model.count)))
        gone.append(victim.token)
        #expect(queue.cancel(victim.token) == victim.number)
      case 6 where !gone.isEmpty:
        #expect(queue.cancel(gone[Int(scatter.next() % UInt64(gone.count))]) == nil)
      default:
        let next = queue.next()
        #expect(next?.event == model.first?.number)
        #expect(next?.time.nanoseconds == model.first?.time)
        if !model.isEmpty { gone.append(model.removeFirst().token) }
      }
      #expect(queue.count == model.count)
      #expect(queue.nextTime?.nanoseconds == model.first?.time)
    }
  }

  @Test("takes events up to and including a moment")
  func limit() {
    var queue = EventQueue<String>()
    queue.schedule("late", at: VirtualInstant(nanoseconds: 11))
    queue.schedule("due", at: VirtualInstant(nanoseconds: 10))
    #expect(queue.next(until: VirtualInstant(nanoseconds: 9)) == nil)
    #expect(queue.next(until: VirtualInstant(nanoseconds: 10))?.event == "due")
    #expect(queue.next(until: VirtualInstant(nanoseconds: 10)) == nil)
    #expect(queue.count == 1)
  }
}

@Suite("A virtual instant")
struct VirtualInstantTests {
  @Test("is written as a clock shows it")
  func description() {
    #expect(VirtualInstant.zero.advanced(by: .seconds(360_000) + .milliseconds(250)).description == "100:00:00.25")
    #expect(VirtualInstant.zero.advanced(by: .nanoseconds(-1)).description == "-00:00:00.000000001")
  }

  @Test("stops at the end of time instead of overflowing")
  func saturation() {
    #expect(VirtualInstant.zero.advanced(by: .seconds(Int64.max)).nanoseconds == .max)
    #expect(VirtualInstant.zero.advanced(by: .seconds(Int64.min)).nanoseconds == .min)
    #expect(VirtualInstant(nanoseconds: .max).advanced(by: .nanoseconds(1)).nanoseconds == .max)
    let whole = VirtualInstant(nanoseconds: .min).duration(to: VirtualInstant(nanoseconds: .max))
    #expect(whole == .nanoseconds(Int64.max) + .nanoseconds(Int64.max) + .nanoseconds(1))
  }

  @Test("rounds a part of a nanosecond up")
  func rounding() {
    #expect(VirtualInstant.zero.advanced(by: Duration(secondsComponent: 0, attosecondsComponent: 1)).nanoseconds == 1)
  }
}
