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
    let signal = InterruptSignal(raises: Interrupt(), repetition: .zero) { _ in noticed.signal() }
    kill(getpid(), first)
    noticed.wait()
    kill(getpid(), second)
    // Never signalled again: only the second signal ends this.
    noticed.wait()
    withExtendedLifetime(signal) {}
  }

  @Test("A signal that comes twice, to the process and to its group, is one request", arguments: [SIGINT, SIGTERM])
  func twice(number: Int32) async {
    await #expect(processExitsWith: .exitCode(7)) { [number] in
      alarm(60)
      let noticed = DispatchSemaphore(value: 0)
      let signal = InterruptSignal(raises: Interrupt(), repetition: .seconds(3600)) { response in
        if response == nil { exit(7) }
        noticed.signal()
      }
      kill(getpid(), number)
      noticed.wait()
      kill(getpid(), number)
      noticed.wait()
      withExtendedLifetime(signal) {}
    }
  }

  @Test("The first signal asks to stop, those shortly after it for nothing more, and a later one to leave at once")
  func requests() {
    var requests = SignalRequests()
    let start = ContinuousClock.now
    #expect(requests.response(at: start) == .stop)
    #expect(requests.response(at: start + .microseconds(20)) == nil)
    #expect(requests.response(at: start + .milliseconds(499)) == nil)
    #expect(requests.response(at: start + .milliseconds(500)) == .exitNow)
    #expect(requests.response(at: start + .seconds(100)) == .exitNow)
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
