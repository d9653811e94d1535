// SPDX-License-Identifier: GPL-3.0-or-later
import ExperimentTestSupport
import LiveCore
import Testing

@testable import LiveLab

/// What refuses a schedule of one fault; nil where nothing does.
private func problem(_ fault: Fault, at: Interval = .zero, lasting: Interval = .seconds(1)) -> String? {
  do throws(LiveLabError) {
    _ = try FaultSchedule([TimedFault(fault, at: .zero + at, lasting: lasting)], duration: .seconds(60))
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

  /// A fault, how long it is to hold, and what refuses it.
  static let contradictions: [(Fault, Interval, String)] = [
    (.reset, .seconds(1), "reset, for: found 1s, expected no time"),
    (.offline, .zero, "offline, for: found 0s, expected a time above 0"),
    (
      .close(CloseCode(1_006), delay: .zero), .zero,
      "close, code: found 1006, expected a code that a close frame carries"
    ),
    (
      .burstLoss(enter: 0, leave: 1, good: 0, bad: 1), .seconds(1),
      "burst-loss, enter: found 0%, expected more than 0%"
    ),
    (
      .burstLoss(enter: 1, leave: 1, good: 0.5, bad: 0.25), .seconds(1),
      "burst-loss, good: found 50%, expected no more than is lost in a burst, 25%"
    ),
    (.refusal(status: 101, retryAfter: nil), .seconds(1), "refusal, status: found 101, expected a whole"),
    (.refusal(status: 302, retryAfter: nil), .seconds(1), "refusal, status: found 302, expected another status"),
    (.clockSkew(millionths: 1_000_000), .seconds(1), "clock-skew, millionths: found 1000000, expected"),
  ]

  @Test(
    "values that contradict each other are refused by the field, the value and what was expected",
    arguments: contradictions)
  func contradictory(fault: Fault, lasting: Interval, message: String) {
    #expect(problem(fault, lasting: lasting)?.hasPrefix("fault 1, \(message)") == true)
  }
}

@Suite("Faults that let no attempt succeed")
struct BlockingTests {
  private let half = 0.5

  @Test("are those that hinder all of them, not most")
  func blocking() {
    for (portion, blocks) in [(1.0, true), (0.999_999, false), (half, false)] {
      #expect(Fault.loss(portion).blocks == blocks)
      #expect(Fault.shedding(portion, retryAfter: nil).blocks == blocks)
      #expect(Fault.burstLoss(enter: half, leave: half, good: portion, bad: 1).blocks == blocks)
    }
    #expect(!Fault.burstLoss(enter: half, leave: half, good: 1, bad: half).blocks)
    #expect(Fault.expiredCredentials(isRefreshable: false).blocks)
    #expect(!Fault.expiredCredentials(isRefreshable: true).blocks)
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

  /// A fault at the bounds of its parameters, and one beyond them.
  static let edges: [(Fault, Fault)] = [
    (.clockSkew(millionths: 500_000), .clockSkew(millionths: 500_001)),
    (.refusal(status: 299, retryAfter: nil), .refusal(status: 300, retryAfter: nil)),
    (.refusal(status: 400, retryAfter: nil), .refusal(status: 399, retryAfter: nil)),
    (.close(CloseCode(1_003), delay: .zero), .close(CloseCode(1_004), delay: .zero)),
    (.garbage(CloseCode(1_014)), .garbage(CloseCode(1_015))), (.garbage(CloseCode(3_000)), .garbage(CloseCode(2_999))),
    (
      .burstLoss(enter: 1, leave: 0.000_001, good: 0, bad: 1),
      .burstLoss(enter: 1, leave: 0, good: 0, bad: 1)
    ),
    (
      .burstLoss(enter: 1, leave: 1, good: 0.5, bad: 0.5),
      .burstLoss(enter: 1, leave: 1, good: 0.5, bad: 0.499_999)
    ),
  ]

  @Test("a fault at its bounds is taken, one beyond them refused by its name", arguments: edges)
  func edge(inside: Fault, beyond: Fault) {
    let lasting = inside.kind.isMoment ? Interval.zero : .seconds(1)
    #expect(problem(inside, lasting: lasting) == nil)
    #expect(problem(beyond, lasting: lasting)?.hasPrefix("fault 1, \(beyond.kind.name), ") == true)
  }

  @Test("a fault begins within its session")
  func moments() {
    let nanosecond = Interval(nanoseconds: 1)
    #expect(problem(.sleep, at: .seconds(60) - nanosecond) == nil)
    #expect(problem(.sleep, at: .seconds(60))?.hasPrefix("fault 1, sleep, at: found 1m") == true)
    #expect(problem(.sleep, at: .zero - nanosecond)?.hasPrefix("fault 1, sleep, at: found") == true)
  }

  @Test("a schedule holds no more than it can, and no limit beyond the longest session")
  func capacity() throws {
    let many = (0...FaultSchedule.capacity).map { TimedFault(.reset, at: .zero + .seconds(Int64($0))) }
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
    .halfOpen, .reset, .close(CloseCode(1_001), delay: .milliseconds(1_500)), .close(CloseCode(4_000), delay: .zero),
    .garbage(CloseCode(1_007)), .enormousFrame(bytes: 4_294_967_295), .blackHole, .partition(.up), .partition(.down),
    .latency(added: .milliseconds(300), jitter: Interval(nanoseconds: 1)), .bandwidth(bytesPerSecond: 4_000),
    .loss(0.000_001), .loss(1),
    .burstLoss(enter: 0.01, leave: 0.3, good: 0, bad: 0.8),
    .idleCut(after: .seconds(60), isSilent: true), .idleCut(after: .seconds(60), isSilent: false),
    .nameNotFound(after: .seconds(5)), .captivePortal, .insecure, .refused,
    .refusal(status: 403, retryAfter: nil), .refusal(status: 429, retryAfter: .zero), .redirect(.secure),
    .redirect(.plain), .redirect(.unusable), .restart(.graceful, keepsHistory: true),
    .restart(.killed, keepsHistory: false), .restart(.vanished, keepsHistory: true),
    .shedding(0.5, retryAfter: nil), .shedding(1, retryAfter: .seconds(3)),
    .acceptThenClose(CloseCode(1_013), after: .milliseconds(10)),
    .acceptThenClose(CloseCode(1_011), after: .seconds(1), resumes: true), .latePongs(delay: .seconds(8)), .noPongs,
    .sleep,
    .networkChange, .offline, .background, .clockSkew(millionths: -200), .clockSkew(millionths: 200),
    .expiredCredentials(isRefreshable: true), .expiredCredentials(isRefreshable: false),
  ]
}
