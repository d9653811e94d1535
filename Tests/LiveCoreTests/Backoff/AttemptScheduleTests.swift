// SPDX-License-Identifier: Apache-2.0
import LiveCore
import Testing

@Suite("The schedule of attempts")
struct AttemptScheduleTests {
  private func policy(_ jitter: Backoff.Jitter, floor: Interval = .zero) -> Backoff {
    var policy = Backoff()
    (policy.jitter, policy.floor) = (jitter, floor)
    return policy
  }

  private func waits(_ policy: Backoff, words: [UInt64]) -> [Interval?] {
    var schedule = AttemptSchedule()
    return words.map { schedule.next(policy, word: $0) }
  }

  @Test("without jitter the waits double up to the cap, and after the last attempt there is none")
  func exponential() {
    let expected = ([1, 2, 4, 8, 16, 30, 30, 30, 30, 30] as [Int64]).map(Interval.seconds)
    #expect(waits(policy(.none), words: Array(repeating: 7, count: 11)) == expected + [nil])
  }

  @Test(
    "the least and the greatest word give the bounds that the jitter promises",
    arguments: [
      (Backoff.Jitter.equal, 1, 2), (.full, 0, 2), (.proportional(0.25), 1.5, 2.5), (.cappedProportional(0.5), 1, 3),
      (.added(.milliseconds(300), .seconds(3)), 2.3, 5), (.fullAboveBase, 1, 3), (.decorrelated, 1, 9),
    ])
  func bounds(jitter: Backoff.Jitter, least: Double, most: Double) {
    let range = policy(jitter).waits(before: 1)
    #expect(range.lowerBound == Interval(seconds: least))
    #expect(abs(range.upperBound.seconds - most) < 1e-8)
  }

  @Test("every wait of every named policy lies within its bounds, and no attempt is given beyond the last")
  func namedWithinBounds() {
    for named in Backoff.catalogue {
      let bounds = (0..<named.policy.maximumAttempts).map { named.policy.waits(before: $0) }
      for seed in 0..<300 as Range<UInt64> {
        var words = SplitMix64(seed: seed)
        var schedule = AttemptSchedule()
        for bound in bounds {
          let wait = schedule.next(named.policy, word: words.next())
          #expect(wait.map(bound.contains) == true, "\(named.name), seed \(seed)")
        }
        #expect(schedule.next(named.policy, word: words.next()) == nil)
        #expect(Int(schedule.attempts) == named.policy.maximumAttempts)
      }
    }
  }

  @Test("no wait is shorter than the floor nor, where the cap binds the wait, longer than the cap")
  func floorAndCap() {
    for jitter in [Backoff.Jitter.none, .equal, .full, .decorrelated, .cappedProportional(1), .fullAboveBase] {
      let policy = policy(jitter, floor: .milliseconds(750))
      for seed in 0..<200 as Range<UInt64> {
        var words = SplitMix64(seed: seed)
        var schedule = AttemptSchedule()
        while let wait = schedule.next(policy, word: words.next()) {
          #expect(wait >= policy.floor && wait <= policy.cap, "\(jitter), seed \(seed)")
        }
      }
    }
  }

  @Test("a floor of zero changes nothing of a wait, and a floor above it replaces it")
  func floorIsABound() {
    for seed in 0..<200 as Range<UInt64> {
      var (words, same) = (SplitMix64(seed: seed), SplitMix64(seed: seed))
      var (plain, floored) = (AttemptSchedule(), AttemptSchedule())
      let floor = Interval.milliseconds(400)
      while let wait = plain.next(policy(.full), word: words.next()) {
        #expect(floored.next(policy(.full, floor: floor), word: same.next()) == max(floor, wait))
      }
    }
  }

  @Test("decorrelated waits grow from the wait that was given, floor included")
  func decorrelatedAboveFloor() {
    let found = waits(policy(.decorrelated, floor: .seconds(2)), words: [0, 1 << 63])
    #expect(found == [.seconds(2), .milliseconds(3_500)])
  }

  @Test("after a reset the first wait comes again")
  func reset() {
    var schedule = AttemptSchedule()
    for _ in 0..<10 { _ = schedule.next(policy(.none), word: 0) }
    schedule.reset()
    #expect(schedule.attempts == 0)
    #expect(schedule.next(policy(.none), word: 0) == .seconds(1))
  }

  @Test("Phoenix's steps and reconnecting-websocket's own base are those of their libraries")
  func otherGrowths() {
    let steps = ([10, 50, 100, 150, 200, 250, 500, 1_000, 2_000, 5_000] as [Int64]).map(Interval.milliseconds)
    #expect(Backoff.named("phoenix").map { waits($0, words: Array(repeating: 3, count: 10)) } == steps)
    // The second word draws a base of 3 s, halfway from 1 s to 5 s; later words draw nothing.
    let drawn = Backoff.named("rws").map { waits($0, words: [9, 1 << 63, 5, .max, 0, 1 << 60]) } ?? []
    for (wait, expected) in zip(drawn, [0, 3, 3.9, 5.07, 6.591, 8.568_3]) {
      #expect(abs((wait?.seconds ?? -1) - expected) < 1e-8)
    }
    #expect(drawn.count == 6)
  }

  @Test("a schedule is sixteen bytes, so that a storm holds a million of them")
  func size() {
    #expect(MemoryLayout<AttemptSchedule>.size == 16)
  }

  @Test("numbers that no check let through give some wait all the same, and never trap")
  func oddNumbers() {
    for factor in [Double.nan, .infinity, -3, 0, 1e308] {
      for edge in [Interval.forever, Interval(nanoseconds: .min), .zero] {
        var odd = Backoff()
        (odd.factor, odd.base, odd.cap, odd.floor, odd.maximumAttempts) = (factor, edge, .forever, edge, .max)
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
    #expect(none.span == .zero ... .zero)
  }

  @Test("names and short names find their policy, and nothing else does")
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
