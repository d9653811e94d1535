// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import PropertyTesting
import Synchronization

/// Where the counters keep their number: every call of it lets other tasks of the caller's actor go on.
actor Store {
  private(set) var number = 0
  func set(_ number: Int) { self.number = number }
  func add(_ amount: Int) -> Int {
    number += amount
    return number
  }
}

/// Counts, in one step of the store or with an await between reading and writing.
actor Counter {
  private let store = Store()
  private let isRacy: Bool

  init(isRacy: Bool) { self.isRacy = isRacy }

  func increment() async -> Int {
    guard isRacy else { return await store.add(1) }
    let number = await store.number
    await store.set(number + 1)
    return number + 1
  }

  var count: Int { get async { await store.number } }
}

func counter(isRacy: Bool) -> StateMachine<Int, Counter> {
  StateMachine(model: 0, system: { Counter(isRacy: isRacy) }) { machine in
    machine.command("count") {
      $0
    } run: { counter in
      await counter.count
    }
    machine.command("increment") { count in
      count += 1
      return count
    } run: { counter in
      await counter.increment()
    }
  }
}

/// Counts behind no lock, or one that is given up between reading and writing.
final class Tally: Sendable {
  private let number = Atomic<Int>(0)
  private let isRacy: Bool

  init(isRacy: Bool) { self.isRacy = isRacy }

  func increment() -> Int {
    guard isRacy else { return number.wrappingAdd(1, ordering: .sequentiallyConsistent).newValue }
    let read = number.load(ordering: .sequentiallyConsistent)
    sched_yield()
    number.store(read + 1, ordering: .sequentiallyConsistent)
    return read + 1
  }
}

func tally(isRacy: Bool) -> StateMachine<Int, Tally> {
  StateMachine(model: 0, system: { Tally(isRacy: isRacy) }) { machine in
    machine.command("increment") { count in
      count += 1
      return count
    } run: { tally in
      tally.increment()
    }
  }
}
