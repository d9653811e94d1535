// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import MonteCarlo
import Testing

// Each child sets an alarm, so that a signal that is lost fails the test instead of hanging it.
@Suite("Interrupts from the terminal and from other processes")
struct InterruptSignalTests {
  @Test("After the first SIGINT the process goes on, and can end with what it knows")
  func first() async {
    await #expect(processExitsWith: .exitCode(130)) {
      let interrupt = InterruptSignalTests.interrupted(by: SIGINT)
      exit(interrupt.isRaised ? interrupt.cause?.rawValue ?? 5 : 4)
    }
  }

  @Test("After the first SIGTERM likewise")
  func firstTermination() async {
    await #expect(processExitsWith: .exitCode(143)) {
      let interrupt = InterruptSignalTests.interrupted(by: SIGTERM)
      exit(interrupt.isRaised ? interrupt.cause?.rawValue ?? 5 : 4)
    }
  }

  /// An interrupt that a signal has raised.
  private static func interrupted(by number: Int32) -> Interrupt {
    alarm(60)
    let interrupt = Interrupt()
    let noticed = DispatchSemaphore(value: 0)
    let signal = InterruptSignal(raises: interrupt) { _ in noticed.signal() }
    kill(getpid(), number)
    noticed.wait()
    return withExtendedLifetime(signal) { interrupt }
  }

  @Test("The second SIGINT leaves at once with 130")
  func second() async {
    await #expect(processExitsWith: .exitCode(130)) { InterruptSignalTests.signal(SIGINT, SIGINT) }
  }

  @Test("A SIGTERM after a SIGINT leaves at once with 143")
  func secondOfAnotherSort() async {
    await #expect(processExitsWith: .exitCode(143)) { InterruptSignalTests.signal(SIGINT, SIGTERM) }
  }

  /// Two signals, of which the second ends the process.
  private static func signal(_ first: Int32, _ second: Int32) {
    alarm(60)
    let noticed = DispatchSemaphore(value: 0)
    let signal = InterruptSignal(raises: Interrupt()) { _ in noticed.signal() }
    kill(getpid(), first)
    noticed.wait()
    kill(getpid(), second)
    // Never signalled again: only the second signal ends this.
    noticed.wait()
    withExtendedLifetime(signal) {}
  }

  @Test("When nobody listens any more, SIGINT ends the process as usual")
  func afterwards() async {
    await #expect(processExitsWith: .signal(SIGINT)) { InterruptSignalTests.afterwards(SIGINT) }
  }

  @Test("When nobody listens any more, SIGTERM ends the process as usual")
  func afterwardsTerminated() async {
    await #expect(processExitsWith: .signal(SIGTERM)) { InterruptSignalTests.afterwards(SIGTERM) }
  }

  private static func afterwards(_ number: Int32) {
    alarm(60)
    do { _ = InterruptSignal(raises: Interrupt()) }
    kill(getpid(), number)
    DispatchSemaphore(value: 0).wait()
  }
}
