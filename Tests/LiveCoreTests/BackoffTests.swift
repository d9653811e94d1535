// SPDX-License-Identifier: Apache-2.0
import Foundation
import LiveCore
import Testing

private func policy(
  _ jitter: Backoff.Jitter, floor: Interval = .zero, cap: Interval = .seconds(30)
) -> Backoff {
  var policy = Backoff()
  (policy.jitter, policy.floor, policy.cap) = (jitter, floor, cap)
  return policy
}

private func isClose(_ found: ClosedRange<Interval>, _ expected: ClosedRange<Double>) -> Bool {
  abs(found.lowerBound.seconds - expected.lowerBound) < 1e-6
    && abs(found.upperBound.seconds - expected.upperBound) < 1e-6
}

@Suite("The schedule of attempts")
struct AttemptScheduleTests {
  private func waits(_ policy: Backoff, words: [UInt64]) -> [Interval?] {
    var schedule = AttemptSchedule()
    return words.map { schedule.next(policy, word: $0) }
  }

  @Test(
    "the least and the greatest random word give the bounds of the jitter, which may exceed the cap",
    arguments: [
      (Backoff.Jitter.equal, 1, 1...2), (.full, 1, 0...2), (.lowered(0.25), 1, 1.5...2),
      (.proportional(0.25), 1, 1.5...2.5),
      (.cappedProportional(0.5), 1, 1...3), (.added(.milliseconds(300), .seconds(3)), 1, 2.3...5),
      (.fullAboveBase, 1, 1...3), (.decorrelated, 1, 1...9), (.proportional(0.2), 9, 24...36),
      (.added(.seconds(1), .seconds(4)), 9, 31...34),
    ] as [(Backoff.Jitter, Int, ClosedRange<Double>)])
  func bounds(jitter: Backoff.Jitter, attempt: Int, expected: ClosedRange<Double>) {
    #expect(isClose(policy(jitter).waits(before: attempt), expected))
  }

  @Test("decorrelated waits grow from the last wait, after the floor was applied")
  func decorrelatedAboveFloor() {
    let found = waits(policy(.decorrelated, floor: .seconds(2)), words: [0, 1 << 63])
    #expect(found == [.seconds(2), .milliseconds(3_500)])
  }

  @Test("Phoenix's steps and reconnecting-websocket's own base are those of their libraries")
  func otherGrowths() {
    let steps = ([10, 50, 100, 150, 200, 250, 500, 1_000, 2_000, 5_000, 5_000] as [Int64]).map(Interval.milliseconds)
    #expect(Backoff.named("phoenix").map { waits($0, words: Array(repeating: 3, count: 11)) } == steps)
    // The first word draws a base of 3 s, halfway from 1 s to 5 s; later words draw nothing.
    let drawn = Backoff.named("rws").map { waits($0, words: [1 << 63, 5, .max, 0, 1 << 60]) } ?? []
    for (wait, expected) in zip(drawn, [3, 3.9, 5.07, 6.591, 8.568_3]) {
      #expect(abs((wait?.seconds ?? -1) - expected) < 1e-8)
    }
    #expect(drawn.count == 5)
  }

  @Test("a table's waits come in turn, exactly, then its last one, until the attempts are exhausted")
  func table() {
    let table = [Interval.zero, Interval(nanoseconds: 1), .seconds(86_400), .milliseconds(2_500)]
    var policy = Backoff(waits: table)
    #expect(waits(policy, words: [0, .max, 7, 0, .max, 3]) == table + [table[3], table[3]])
    policy.maximumAttempts = 4
    #expect(waits(policy, words: [0, 0, 0, 0, 0]) == table + [nil])
    policy.jitter = .added(.seconds(1), .seconds(3))
    #expect(waits(policy, words: [0, 1 << 63]) == [.seconds(1), .seconds(2) + table[1]])
    #expect(waits(Backoff(waits: []), words: [1, 2]) == [.zero, .zero])
    #expect(Backoff(waits: table) != Backoff(waits: table.reversed()) && Backoff(waits: table) == Backoff(waits: table))
  }

  @Test("unlimited attempts do not end where the count of attempts does")
  func unlimited() throws {
    let stored = Data(#"{"attempts": 2147483647, "last": 30}"#.utf8)
    var schedule = try JSONDecoder().decode(AttemptSchedule.self, from: stored)
    for _ in 0..<2 { #expect(schedule.next(try #require(Backoff.named("phoenix")), word: 0) == .seconds(5)) }
    #expect(schedule.next(Backoff(), word: 0) == nil)
  }

  @Test("a schedule is sixteen bytes, so that a storm holds a million of them")
  func size() {
    #expect(MemoryLayout<AttemptSchedule>.size == 16)
  }

  @Test("a policy that no check has seen gives some wait and never traps")
  func oddNumbers() {
    for factor in [Double.nan, .infinity, -3, 0, 1e308] {
      for edge in [Interval.forever, Interval(nanoseconds: .min), .zero] {
        var odd = Backoff()
        (odd.factor, odd.base, odd.cap, odd.floor, odd.maximumAttempts) = (factor, edge, .forever, edge, nil)
        for jitter in [.full, .decorrelated, .proportional(.nan), .cappedProportional(1), .added(edge, .forever)]
          as [Backoff.Jitter]
        {
          odd.jitter = jitter
          var schedule = AttemptSchedule()
          for _ in 0..<20 {
            #expect((schedule.next(odd, word: .max) ?? .forever) >= .zero)
            #expect((schedule.next(odd, word: 0) ?? .forever) >= .zero)
          }
        }
      }
    }
    var none = Backoff()
    none.maximumAttempts = -1
    var schedule = AttemptSchedule()
    #expect(schedule.next(none, word: 0) == nil)
  }

  @Test("a policy is found by its name and by its short name")
  func names() {
    for named in Backoff.catalogue {
      #expect(Backoff.named(named.name) == named.policy)
      #expect(Backoff.named(named.shortName) == named.policy)
    }
    let all = Backoff.catalogue.flatMap { $0.name == $0.shortName ? [$0.name] : [$0.name, $0.shortName] }
    #expect(Set(all).count == all.count)
    #expect(Backoff.named("full-jitter") == Backoff())
    #expect(Backoff.named("full jitter") == nil && Backoff.named("") == nil)
  }
}

@Suite("The catalogue of policies")
struct CatalogueTests {
  /// Between what bounds the waits before the first, second, fifth and tenth attempt lie, in seconds, as the policy's
  /// own source says.
  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    let shortName: String
    let attempts: Int?
    let waits: [ClosedRange<Double>]

    var testDescription: String { name }
  }

  static let rows = [
    Row(name: "none", shortName: "none", attempts: 10, waits: [1...1, 1...1, 1...1, 1...1]),
    Row(name: "exponential", shortName: "expo", attempts: 10, waits: [1...1, 2...2, 16...16, 30...30]),
    Row(name: "equal-jitter", shortName: "equal", attempts: 10, waits: [0.5...1, 1...2, 8...16, 15...30]),
    Row(name: "full-jitter", shortName: "full", attempts: 10, waits: [0.1...1, 0.1...2, 0.1...16, 0.1...30]),
    Row(name: "decorrelated-jitter", shortName: "decorr", attempts: 10, waits: [1...3, 1...9, 1...30, 1...30]),
    Row(
      name: "grpc", shortName: "grpc", attempts: nil,
      waits: [0.8...1.2, 1.28...1.92, 5.242_88...7.864_32, 54.975_581_388_8...82.463_372_083_2]),
    Row(
      name: "phoenix", shortName: "phoenix", attempts: nil,
      waits: [0.01...0.01, 0.05...0.05, 0.2...0.2, 5...5]),
    Row(
      name: "socket.io", shortName: "socketio", attempts: nil, waits: [0.5...1.5, 1...3, 5...5, 5...5]),
    Row(
      name: "reconnecting-websocket", shortName: "rws", attempts: nil,
      waits: [1...5, 1.3...6.5, 2.856_1...10, 10...10]),
    Row(
      name: "centrifuge", shortName: "centrifuge", attempts: nil,
      waits: [0.5...1, 0.5...1.5, 0.5...8.5, 0.5...20]),
    Row(name: "graphql-ws", shortName: "graphqlws", attempts: 5, waits: [1.3...4, 2.3...5, 16.3...19, 30.3...33]),
    Row(name: "ably", shortName: "ably", attempts: nil, waits: [0...0, 16...20, 24...30, 24...30]),
  ]

  @Test("the catalogue lists the policies by these names, our own first")
  func order() {
    #expect(Backoff.names == Self.rows.map(\.name))
    #expect(Backoff.catalogue.map(\.shortName) == Self.rows.map(\.shortName))
  }

  @Test("each policy waits, and gives up, as its library's source says", arguments: rows)
  func waits(row: Row) throws {
    let policy = try #require(Backoff.named(row.name))
    #expect(policy.maximumAttempts == row.attempts)
    for (attempt, expected) in zip([0, 1, 4, 9], row.waits) {
      #expect(isClose(policy.waits(before: attempt), expected), "before attempt \(attempt)")
    }
  }
}

@Suite("The bounds of waits")
struct WaitBoundsTests {
  @Test("beyond the last attempt the bounds are those at the cap, and before the first they are the first's")
  func beyondTheLast() {
    for attempt in [10, 11, 500, 1_000_000, Int.max] {
      #expect(isClose(policy(.equal).waits(before: attempt), 15...30), "\(attempt)")
    }
    for attempt in [-1, Int.min] { #expect(isClose(policy(.equal).waits(before: attempt), 0.5...1)) }
    var slow = policy(.none)
    (slow.factor, slow.maximumAttempts) = (1.01, 5)
    #expect(isClose(slow.waits(before: 100), 2.704_813_829_4...2.704_813_829_4), "1.01 to the hundredth")
  }

  @Test("if the wait is capped and not its base, the least wait reaches the cap too")
  func cappedWait() {
    let hour = policy(.cappedProportional(0.5), cap: .seconds(3_600))
    #expect(isClose(hour.waits(before: 11), 1_024...3_072))
    #expect(isClose(hour.waits(before: 12), 2_048...3_600))
    #expect(isClose(hour.waits(before: 13), 3_600...3_600))
    #expect(isClose(hour.waits(before: 5_000), 3_600...3_600), "and nothing grows out of all numbers")
  }

  @Test("a greater word never gives a shorter wait, whatever the policy and the attempt")
  func monotone() {
    for named in Backoff.catalogue {
      for seed in 0..<100 as Range<UInt64> {
        var random = SplitMix64(seed: seed)
        var schedule = AttemptSchedule()
        for _ in 0..<random.below(min(40, named.policy.maximumAttempts ?? 40)) {
          _ = schedule.next(named.policy, word: random.next())
        }
        let words = [0, random.next(), random.next(), random.next(), .max].sorted()
        let waits = words.map { word in
          var copy = schedule
          return copy.next(named.policy, word: word) ?? .zero
        }
        #expect(waits == waits.sorted(), "\(named.name), seed \(seed)")
      }
    }
  }

  @Test("the bounds of a policy that no check has seen never trap")
  func oddPolicies() {
    for jitter in [.proportional(-2), .added(.seconds(3), .zero), .cappedProportional(.nan)] as [Backoff.Jitter] {
      for attempt in [-5, 0, 3] {
        let waits = policy(jitter).waits(before: attempt)
        #expect(waits.lowerBound >= .zero)
      }
    }
  }
}

@Suite("The slow cadence")
struct SlowCadenceTests {
  private let cadence = SlowCadence(every: .seconds(300), spread: 0.5)
  private let now = Instant.zero + .seconds(1_000)

  private func wait(_ word: UInt64, notBefore: Instant = .zero) -> Double {
    (cadence.next(after: now, notBefore: notBefore, word: word) - now).seconds
  }

  @Test("waits are uniform around the interval")
  func evenly() {
    #expect(cadence.waits == .seconds(150) ... .seconds(450))
    let words: [UInt64] = [0, 1 << 62, 1 << 63, 3 << 62]
    #expect(words.map { wait($0) } == [150, 225, 300, 375])
    #expect(wait(.max) < 450 && wait(.max) > 449.999)
  }

  @Test("the server's Retry-After moves the whole spread and keeps its width")
  func wish() {
    let wished = now + .seconds(1_000)
    #expect(wait(0, notBefore: wished) == 1_000)
    #expect(wait(1 << 63, notBefore: wished) == 1_150)
    #expect(wait(1 << 63, notBefore: now + .seconds(100)) == 300, "a wish that is over before it begins")
  }

  @Test("without a spread the wait is the interval, and with a spread of 1 anything up to twice that")
  func bounds() {
    let (fixed, free) = (SlowCadence(every: .seconds(60), spread: 0), SlowCadence(every: .seconds(60), spread: 1))
    for word: UInt64 in [0, 1 << 63, .max] {
      #expect(fixed.next(after: now, notBefore: .zero, word: word) == now + .seconds(60))
    }
    #expect(free.waits == .zero ... .seconds(120))
  }

  @Test("clients that are suspended at one moment come back spread")
  func suspended() {
    var waits: [Double] = []
    for word: UInt64 in [0, 1 << 62, 3 << 62] {
      var live = ScriptedConnection.suspended()
      live.word = word
      for _ in 0..<2 {
        live.does(.retry)
        live.failUntilSuspended()
      }
      #expect(live.usedWord)
      waits.append((live.status.nextTry.map { $0 - live.now } ?? .zero).seconds)
    }
    #expect(waits == [150, 225, 375])
  }

  @Test("a spread that is negative, above 1 or not a number never leads back in time")
  func oddSpreads() {
    #expect(SlowCadence(every: .seconds(60), spread: -1).waits == .seconds(60) ... .seconds(60))
    #expect(SlowCadence(every: .seconds(60), spread: 3).waits == .zero ... .seconds(240))
    #expect(SlowCadence(every: .seconds(-60), spread: 3).waits.lowerBound >= .zero)
    for spread in [-1, 0, 0.5, 3, .infinity, .nan] {
      let cadence = SlowCadence(every: .seconds(60), spread: spread)
      for word: UInt64 in [0, 1 << 63, .max] {
        #expect(cadence.next(after: now, notBefore: .zero, word: word) >= now, "\(spread)")
      }
    }
  }

  @Test("the default spread is half of the interval, and each wait lies within the stated bounds")
  func `default`() {
    #expect(SlowCadence(every: .seconds(300)) == cadence)
    for seed in 0..<200 as Range<UInt64> {
      var words = SplitMix64(seed: seed)
      let odd = SlowCadence(
        every: .milliseconds(Int64(1_000 + words.below(1_000_000))), spread: Double(words.below(101)) / 100)
      let wait = odd.next(after: now, notBefore: .zero, word: words.next()) - now
      #expect(odd.waits.contains(wait), "\(odd)")
    }
  }
}
