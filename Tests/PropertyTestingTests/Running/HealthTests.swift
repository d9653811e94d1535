// SPDX-License-Identifier: GPL-3.0-or-later
import Synchronization
import Testing

@testable import PropertyTesting

@Suite("The health of a test")
struct HealthTests {
  /// A clock that says what it is told to.
  private final class Clock: Sendable {
    private let time = Mutex(Duration.zero)
    func advance(by duration: Duration) { time.withLock { $0 += duration } }
    var now: Duration { time.withLock { $0 } }
  }

  private func warnings(drawing: Duration, judging: Duration) throws -> [HealthWarning] {
    let clock = Clock()
    var environment = CheckEnvironment()
    environment.clock = { clock.now }
    let slow = Gen<Bool>({ draws in
      clock.advance(by: drawing)
      return try draws.draw(.booleans())
    })
    let property = Property("test.slow", "Anything", slow) { _ in clock.advance(by: judging) }
    return try property.check(in: environment).warnings
  }

  @Test("suffers from a generator that takes far longer than the property")
  func slow() throws {
    let warnings = try warnings(drawing: .milliseconds(190), judging: .milliseconds(10))
    #expect(warnings == [.slowGenerator(perCase: .milliseconds(190), share: 0.95)])
    #expect(
      warnings.first?.description
        == "Drawing a case took 0.19 seconds on average, 95% of the time; draw smaller values or fewer.")
  }

  @Test("does not suffer from a slow generator under a slow property, or a quick one under a quicker one")
  func fair() throws {
    #expect(try warnings(drawing: .milliseconds(100), judging: .milliseconds(50)).isEmpty)
    #expect(try warnings(drawing: .microseconds(100), judging: .zero).isEmpty)
  }

  @Test("suffers from cases that fill their tapes")
  func large() throws {
    let report = try search(.arrays(of: .booleans(), count: 50_000...50_000)) { _ in }
    #expect(report.warnings == [.largeCases(entries: 50_005, capacity: 65_536)])
    let beyond = try search(.arrays(of: .booleans(), count: 70_000...70_000)) { _ in }
    #expect(beyond.outcome == .exhausted)
    #expect(beyond.discards == [.tooLarge: 1001])
  }
}
