// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import MonteCarlo
import Testing

// Each child sets an alarm, so that a signal that is lost fails the test instead of hanging it.
@Suite("Interrupts from the terminal and from other processes")
struct InterruptSignalTests {
  @Test(
    "After the first signal the process goes on, and can end with what it knows",
    arguments: [(SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)])
  func first(number: Int32, code: Int32) async {
    await #expect(processExitsWith: .exitCode(code)) { [number] in
      alarm(60)
      let interrupt = Interrupt()
      let noticed = DispatchSemaphore(value: 0)
      let signal = InterruptSignal(raises: interrupt) { _ in noticed.signal() }
      kill(getpid(), number)
      noticed.wait()
      exit(withExtendedLifetime(signal) { interrupt.isRaised ? interrupt.cause?.rawValue ?? 5 : 4 })
    }
  }

  @Test(
    "The second signal after a SIGINT leaves at once with its code",
    arguments: [(SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)])
  func second(number: Int32, code: Int32) async {
    await #expect(processExitsWith: .exitCode(code)) { [number] in
      alarm(60)
      let noticed = DispatchSemaphore(value: 0)
      let signal = InterruptSignal(raises: Interrupt(), repetition: .zero) { _ in noticed.signal() }
      kill(getpid(), SIGINT)
      noticed.wait()
      kill(getpid(), number)
      // Never signalled again: only the second signal ends this.
      noticed.wait()
      withExtendedLifetime(signal) {}
    }
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

  @Test("When nobody listens any more, a signal ends the process as usual", arguments: [SIGINT, SIGTERM])
  func afterwards(number: Int32) async {
    await #expect(processExitsWith: .signal(number)) { [number] in
      alarm(60)
      do { _ = InterruptSignal(raises: Interrupt()) }
      kill(getpid(), number)
      DispatchSemaphore(value: 0).wait()
    }
  }
}
