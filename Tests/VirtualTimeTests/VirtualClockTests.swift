// SPDX-License-Identifier: GPL-3.0-or-later
import Synchronization
import Testing
import VirtualTime

/// What happened, in order.
final class Journal: Sendable {
  private let lines = Mutex<[String]>([])
  var text: [String] { lines.withLock { $0 } }
  func write(_ line: String) { lines.withLock { $0.append(line) } }
}

@Suite("A virtual clock")
struct VirtualClockTests {
  @Test("sets off alarms by time, and at one time in the order they were scheduled")
  func order() {
    let (clock, journal) = (VirtualClock(), Journal())
    for (name, seconds) in [("c", 2), ("a", 1), ("d", 2), ("b", 1)] {
      clock.schedule(at: .zero.advanced(by: .seconds(seconds))) { journal.write("\(name) at \(clock.now)") }
    }
    #expect(clock.advanceToNext())
    #expect(journal.text == ["a at 00:00:01", "b at 00:00:01"])
    clock.advance(by: .seconds(10))
    #expect(journal.text.suffix(2) == ["c at 00:00:02", "d at 00:00:02"])
    #expect(clock.now == .zero.advanced(by: .seconds(11)))
    #expect(!clock.advanceToNext())
  }

  @Test("sets off what an alarm schedules, at its own moment, and forgets what is cancelled")
  func chain() {
    let (clock, journal) = (VirtualClock(), Journal())
    clock.schedule(at: VirtualInstant(nanoseconds: 5)) {
      journal.write("first")
      clock.schedule(at: VirtualInstant(nanoseconds: 3)) { journal.write("past, so at \(clock.now.nanoseconds)") }
      clock.schedule(at: VirtualInstant(nanoseconds: 7)) { journal.write("then, at \(clock.now.nanoseconds)") }
    }
    let token = clock.schedule(at: VirtualInstant(nanoseconds: 6)) { journal.write("never") }
    #expect(clock.cancel(token) != nil)
    #expect(clock.cancel(token) == nil)
    clock.advance(by: .nanoseconds(10))
    #expect(journal.text == ["first", "past, so at 5", "then, at 7"])
    clock.advance(to: .zero)
    #expect(clock.now.nanoseconds == 10)
  }

  @Test("moved by hand, does not hold up who sleeps until a moment that has passed")
  func past() async throws {
    let clock = VirtualClock(startingAt: VirtualInstant(nanoseconds: 5))
    try await clock.sleep(until: VirtualInstant(nanoseconds: 5))
    try await clock.sleep(for: .seconds(-1))
    #expect(clock.nextAlarm == nil)
  }

  @Test("lets a hundred hours pass at once")
  func hours() throws {
    let slept = try VirtualClock.run { clock in
      for _ in 0..<360_000 { try await clock.sleep(for: .seconds(1)) }
      return clock.now
    }
    #expect(slept.description == "100:00:00")
  }

  @Test("wakes sleepers by deadline, and at one deadline in the order in which they fell asleep")
  func sleepers() throws {
    let journal = Journal()
    try VirtualClock.run { clock in
      await withTaskGroup(of: Void.self) { group in
        for (name, seconds) in [("c", 2), ("a", 1), ("d", 2), ("b", 1)] {
          group.addTask {
            try? await clock.sleep(for: .seconds(seconds))
            journal.write("\(name) at \(clock.now)")
          }
        }
      }
    }
    #expect(journal.text == ["a at 00:00:01", "b at 00:00:01", "c at 00:00:02", "d at 00:00:02"])
  }

  @Test("ends a sleep at once when its task is cancelled, and forgets its alarm")
  func cancellation() throws {
    let (outcome, end) = try VirtualClock.run { clock in
      let sleeper = Task { try await clock.sleep(for: .seconds(1000)) }
      try await clock.sleep(for: .seconds(1))
      sleeper.cancel()
      let outcome = await sleeper.result
      #expect(clock.nextAlarm == nil)
      let late = Task { try await clock.sleep(for: .seconds(1)) }
      late.cancel()
      await #expect(throws: CancellationError.self) { try await late.value }
      return (outcome, clock.now)
    }
    #expect(throws: CancellationError.self) { try outcome.get() }
    #expect(end.description == "00:00:01")
  }
}
