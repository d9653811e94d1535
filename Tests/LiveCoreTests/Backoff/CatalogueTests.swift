// SPDX-License-Identifier: Apache-2.0
import LiveCore
import Testing

@Suite("The catalogue of policies")
struct CatalogueTests {
  /// Between what bounds the waits before the first, second, fifth and tenth attempt lie, in seconds, as the policy's
  /// own documentation says.
  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    let shortName: String
    let attempts: Int
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
      name: "grpc", shortName: "grpc", attempts: 10,
      waits: [0.8...1.2, 1.28...1.92, 5.242_88...7.864_32, 54.975_581_388_8...82.463_372_083_2]),
    Row(name: "phoenix", shortName: "phoenix", attempts: 10, waits: [0.01...0.01, 0.05...0.05, 0.2...0.2, 5...5]),
    Row(name: "socket.io", shortName: "socketio", attempts: 10, waits: [0.5...1.5, 1...3, 5...5, 5...5]),
    Row(
      name: "reconnecting-websocket", shortName: "rws", attempts: 10,
      waits: [0...0, 1...5, 2.197...10, 8.157_307_21...10]),
    Row(name: "centrifuge", shortName: "centrifuge", attempts: 10, waits: [0.5...1, 0.5...1.5, 0.5...8.5, 0.5...20]),
    Row(name: "graphql-ws", shortName: "graphqlws", attempts: 5, waits: [1.3...4, 2.3...5, 16.3...19, 30.3...33]),
    Row(name: "ably", shortName: "ably15", attempts: 10, waits: [15...15, 15...15, 15...15, 15...15]),
  ]

  @Test("the catalogue lists these policies by these names, our own first")
  func order() {
    #expect(Backoff.names == Self.rows.map(\.name))
    #expect(Backoff.catalogue.map(\.shortName) == Self.rows.map(\.shortName))
    #expect(Backoff.catalogue.allSatisfy { $0.meaning.hasSuffix(".") })
  }

  @Test("each policy waits as its documentation says", arguments: rows)
  func waits(row: Row) throws {
    let policy = try #require(Backoff.named(row.name))
    #expect(policy.maximumAttempts == row.attempts)
    for (attempt, expected) in zip([0, 1, 4, 9], row.waits) {
      let found = policy.waits(before: attempt)
      #expect(abs(found.lowerBound.seconds - expected.lowerBound) < 1e-6, "before attempt \(attempt)")
      #expect(abs(found.upperBound.seconds - expected.upperBound) < 1e-6, "before attempt \(attempt)")
    }
  }

  @Test("gRPC's waits grow up to two minutes, and 20% to either side of that")
  func greatestOfGRPC() throws {
    let waits = try #require(Backoff.named("grpc")).waits(before: 20)
    #expect(abs(waits.lowerBound.seconds - 96) < 1e-6 && abs(waits.upperBound.seconds - 144) < 1e-6)
  }

  @Test("our own policies have a floor of 100 ms, and those of other clients none")
  func floors() {
    for (place, named) in Backoff.catalogue.enumerated() {
      #expect(named.policy.floor == (place < 6 ? .milliseconds(100) : .zero), "\(named.name)")
    }
  }

  @Test("what is recommended is full jitter from 1 s to 30 s, ten attempts")
  func recommended() {
    let policy = Backoff()
    #expect(policy.base == .seconds(1) && policy.factor == 2 && policy.cap == .seconds(30))
    #expect(policy.jitter == .full && policy.growth == .geometric && policy.maximumAttempts == 10)
    #expect(policy.floor == .milliseconds(100))
  }
}

@Suite("The bounds of waits")
struct WaitBoundsTests {
  private func policy(_ jitter: Backoff.Jitter, cap: Interval = .seconds(30)) -> Backoff {
    var policy = Backoff()
    (policy.jitter, policy.cap, policy.floor) = (jitter, cap, .zero)
    return policy
  }

  private func isClose(_ found: ClosedRange<Interval>, _ expected: ClosedRange<Double>) -> Bool {
    abs(found.lowerBound.seconds - expected.lowerBound) < 1e-6
      && abs(found.upperBound.seconds - expected.upperBound) < 1e-6
  }

  @Test("beyond the last attempt the bounds stay what they are at the cap, and before the first they are the first's")
  func beyondTheLast() {
    for attempt in [10, 11, 500, 1_000_000, Int.max] {
      #expect(isClose(policy(.equal).waits(before: attempt), 15...30), "\(attempt)")
    }
    for attempt in [-1, Int.min] { #expect(isClose(policy(.equal).waits(before: attempt), 0.5...1)) }
    var slow = policy(.none)
    (slow.factor, slow.maximumAttempts) = (1.01, 5)
    #expect(isClose(slow.waits(before: 100), 2.704_813_829_4...2.704_813_829_4), "1.01 to the hundredth")
  }

  @Test("what is spread around the longest wait, or added to it, goes beyond the cap")
  func beyondTheCap() {
    #expect(isClose(policy(.proportional(0.2)).waits(before: 9), 24...36))
    #expect(isClose(policy(.added(.seconds(1), .seconds(4))).waits(before: 9), 31...34))
  }

  @Test("where the wait is capped and not what it grows from, the least wait reaches the cap too, however high it is")
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
        for _ in 0..<random.below(named.policy.maximumAttempts) {
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

  @Test("the span of the attempts is the sum of their bounds")
  func span() {
    for named in Backoff.catalogue {
      let bounds = (0..<named.policy.maximumAttempts).map { named.policy.waits(before: $0) }
      let least = bounds.reduce(Interval.zero) { $0 + $1.lowerBound }
      let most = bounds.reduce(Interval.zero) { $0 + $1.upperBound }
      #expect(named.policy.span == least...most, "\(named.name)")
    }
  }

  @Test("bounds can be asked of what no check let through, and never trap")
  func oddPolicies() {
    for jitter in [.proportional(-2), .added(.seconds(3), .zero), .cappedProportional(.nan)] as [Backoff.Jitter] {
      for attempt in [-5, 0, 3] {
        let waits = policy(jitter).waits(before: attempt)
        #expect(waits.lowerBound >= .zero)
      }
      #expect(policy(jitter).span.lowerBound >= .zero)
    }
  }
}
