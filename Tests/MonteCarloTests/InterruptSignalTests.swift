// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import MonteCarlo
import Testing

// Each child sets an alarm, so that a signal that is lost fails the test instead of hanging it.
@Suite("Interrupts from the terminal")
struct InterruptSignalTests {
  @Test("After the first SIGINT the process goes on, and can end with what it knows")
  func first() async {
    await #expect(processExitsWith: .exitCode(3)) {
      alarm(60)
      let interrupt = Interrupt()
      let noticed = DispatchSemaphore(value: 0)
      let signal = InterruptSignal(raises: interrupt) { noticed.signal() }
      kill(getpid(), SIGINT)
      noticed.wait()
      withExtendedLifetime(signal) { exit(interrupt.isRaised ? 3 : 4) }
    }
  }

  @Test("The second SIGINT leaves at once with 130")
  func second() async {
    await #expect(processExitsWith: .exitCode(130)) {
      alarm(60)
      let noticed = DispatchSemaphore(value: 0)
      let signal = InterruptSignal(raises: Interrupt()) { noticed.signal() }
      kill(getpid(), SIGINT)
      noticed.wait()
      kill(getpid(), SIGINT)
      // Never signalled again: only the second interrupt ends this.
      noticed.wait()
      withExtendedLifetime(signal) {}
    }
  }

  @Test("When nobody listens any more, SIGINT ends the process as usual")
  func afterwards() async {
    await #expect(processExitsWith: .signal(SIGINT)) {
      alarm(60)
      do { _ = InterruptSignal(raises: Interrupt()) }
      kill(getpid(), SIGINT)
      DispatchSemaphore(value: 0).wait()
    }
  }
}
