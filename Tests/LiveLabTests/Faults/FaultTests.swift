// SPDX-License-Identifier: GPL-3.0-or-later
import ExperimentTestSupport
import LiveCore
import Testing

@testable import LiveLab

/// What refuses a schedule of one fault; nil where nothing does.
private func problem(_ fault: String) -> String? {
  do throws(LiveLabError) {
    _ = try FaultSchedule(reading: "live/1 for=60s; \(fault)")
    return nil
  } catch {
    return error.description
  }
}

@Suite("Faults")
struct FaultTests {
  @Test("every kind has a sample")
  func values() {
    #expect(Set(SampleFaults.all.map(\.kind)) == Set(Fault.Kind.simulated))
  }

  /// A fault at the bounds of its values, one beyond them, and what refuses it.
  static let edges: [(String, String, String)] = [
    ("0s offline for=1ms", "0s offline for=0s", "offline, for: found 0s, expected a time above 0"),
    ("0s close code=1003", "0s close code=1004", "close, code: found 1004, expected a code that a close frame carries"),
    ("0s garbage code=1014", "0s garbage code=1015", "garbage, code: found 1015"),
    ("0s garbage code=3000", "0s garbage code=2999", "garbage, code: found 2999"),
    (
      "0s burst-loss for=1s enter=1 leave=0.000001", "0s burst-loss for=1s enter=1 leave=0",
      "burst-loss, leave: found 0%, expected more than 0%"
    ),
    (
      "0s burst-loss for=1s enter=1 leave=1 good=0.5 bad=0.5",
      "0s burst-loss for=1s enter=1 leave=1 good=0.5 bad=0.499999",
      "burst-loss, good: found 50%, expected no more than is lost in a burst, 49.9999%"
    ),
    (
      "0s refusal for=1s status=299", "0s refusal for=1s status=101", "found 'status=101', expected status= and a whole"
    ),
    ("0s refusal for=1s status=400", "0s refusal for=1s status=399", "status: found 399, expected another status"),
    (
      "0s clock-skew for=1s millionths=500000", "0s clock-skew for=1s millionths=500001",
      "found 'millionths=500001', expected millionths="
    ),
    ("59.999999999s reset", "60s reset", "reset, at: found 1m"),
  ]

  @Test(
    "a fault at its bounds is taken, one beyond them refused by the field, the value and what was expected",
    arguments: edges)
  func edge(inside: String, beyond: String, message: String) {
    #expect(problem(inside) == nil)
    #expect(problem(beyond)?.contains(message) == true, "\(problem(beyond) ?? "")")
  }

  @Test("let no attempt succeed only where they hinder all of them, not most")
  func blocking() {
    for portion in ["0.999999", "50%"] {
      #expect(!("loss share=\(portion)" as Fault).blocks && !("shedding share=\(portion)" as Fault).blocks)
      #expect(!("burst-loss enter=50% leave=50% good=\(portion)" as Fault).blocks)
    }
    #expect(("loss share=1" as Fault).blocks && ("shedding share=1" as Fault).blocks)
    #expect(("burst-loss enter=50% leave=50% good=1" as Fault).blocks)
  }
}

@Suite("The bounds of faults and of their parameters")
struct FaultBoundsTests {
  @Test(
    "a value at either bound of a parameter is read as it is written, and one beyond it is not",
    arguments: Fault.Kind.allCases)
  func bounds(kind: Fault.Kind) {
    for parameter in kind.parameters {
      for bound in [parameter.range.lowerBound, parameter.range.upperBound] {
        #expect(parameter.value(parameter.text(bound)) == bound)
      }
      let beyond = [parameter.range.lowerBound - 1, parameter.range.upperBound + 1]
      #expect(beyond.allSatisfy { parameter.value(parameter.text($0)) == nil })
      #expect(!parameter.expectation.isEmpty)
      #expect(parameter.standard.map { parameter.range.contains($0) || parameter.isOptional } ?? true)
    }
  }

  @Test("a schedule holds no more than it can, and no limit beyond the longest session")
  func capacity() throws {
    let many = (0...FaultSchedule.capacity).map { TimedFault("reset", at: .zero + .seconds(Int64($0))) }
    #expect(try FaultSchedule(many.dropLast(), duration: .seconds(600)).faults.count == FaultSchedule.capacity)
    #expect(throws: LiveLabError.self) { try FaultSchedule(many, duration: .seconds(600)) }
    let longest = FaultSchedule.longest
    #expect(try FaultSchedule([], duration: longest, limit: longest).limit == longest)
    #expect(throws: LiveLabError.self) { try FaultSchedule([], duration: longest, limit: longest + .seconds(1)) }
    #expect(throws: LiveLabError.self) { try FaultSchedule([], duration: longest + .seconds(1)) }
  }
}

@Suite("Times and shares as texts")
struct FaultTextTests {
  @Test(
    "a time is written as people say it, and read back to the nanosecond",
    arguments: [
      (0, "0s"), (1, "0.000000001s"), (250_000_000, "250ms"), (999_500_000, "0.9995s"), (1_000_000_000, "1s"),
      (60_000_000_000, "1m"), (61_500_000_000, "1m1.5s"), (3_600_000_000_000, "1h"), (3_600_250_000_000, "1h0.25s"),
      (9_000_000_000_000, "2h30m"), (Int64.max, "2562047h47m16.854775807s"),
    ] as [(Int64, String)])
  func times(nanoseconds: Int64, text: String) {
    #expect(FaultText.time(nanoseconds) == text)
    if nanoseconds < .max { #expect(FaultText.readTime(text) == nanoseconds) }
  }

  @Test("every number has its unit, and what is no time is nil")
  func readTimes() {
    #expect(FaultText.readTime("90s") == 90_000_000_000)
    #expect(FaultText.readTime("1.5s") == 1_500_000_000)
    #expect(FaultText.readTime("5 s") == 5_000_000_000)
    #expect(FaultText.readTime("1m250ms") == 60_250_000_000)
    #expect(FaultText.readTime("0.5h") == 1_800_000_000_000)
    #expect(FaultText.readTime("forever") == FaultSchedule.longest.nanoseconds)
    for text in [
      "", "90", "1.5", "1m30", "s", "5x", "-5s", "5 x", "1.s", ".5s", "1e3s", "9999999999h", "٣s",
    ] {
      #expect(FaultText.readTime(text) == nil, "\(text)")
    }
    #expect(FaultText.time(-1_500_000_000) == "-1.5s")
  }

  @Test("a share is in percent or from 0 to 1, exact to the millionth")
  func portions() {
    #expect(FaultText.portion(50_000) == "5%")
    #expect(FaultText.portion(1) == "0.0001%")
    #expect(FaultText.portion(1_000_000) == "100%")
    for millionths in [0, 1, 999, 125_000, 999_999, 1_000_000] as [Int64] {
      #expect(FaultText.readPortion(FaultText.portion(millionths)) == millionths)
    }
    #expect(FaultText.readPortion("0.05") == 50_000)
    for text in ["", "%", "0.0000001", "0.00001%", "five"] {
      #expect(FaultText.readPortion(text) == nil, "\(text)")
    }
  }
}

/// Faults of every kind, with every choice that a kind has.
enum SampleFaults {
  static let all: [Fault] = [
    "half-open", "reset", "close code=1001 delay=1500ms", "close code=4000",
    "garbage code=1007", "enormous-frame bytes=4294967295", "black-hole", "partition way=up", "partition way=down",
    "latency added=300ms jitter=0.000000001s", "bandwidth rate=4000",
    "loss share=0.000001", "loss share=1",
    "burst-loss enter=0.01 leave=0.3 bad=0.8",
    "idle-cut after=60s silent=yes", "idle-cut after=60s",
    "name-not-found after=5s", "captive-portal", "insecure", "refused",
    "refusal status=403", "refusal status=429 retry-after=0s", "redirect to=secure",
    "redirect to=plain", "redirect to=unusable", "restart how=graceful",
    "restart how=killed history=lost", "restart how=vanished",
    "shedding share=0.5", "shedding share=1 retry-after=3s",
    "accept-then-close code=1013 after=10ms",
    "accept-then-close code=1011 after=1s resumes=yes", "late-pongs delay=8s", "no-pongs",
    "sleep",
    "network-change", "offline", "background", "clock-skew millionths=-200", "clock-skew millionths=200",
    "expired-credentials refreshable=yes", "expired-credentials refreshable=no",
  ]
}
