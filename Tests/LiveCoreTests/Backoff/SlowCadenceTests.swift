// SPDX-License-Identifier: Apache-2.0
import LiveCore
import Testing

@Suite("The slow cadence")
struct SlowCadenceTests {
  private let cadence = SlowCadence(every: .seconds(300), spread: 0.5)
  private let now = Instant.zero + .seconds(1_000)

  private func wait(_ word: UInt64, notBefore: Instant = .zero) -> Double {
    (cadence.next(after: now, notBefore: notBefore, word: word) - now).seconds
  }

  @Test("waits lie evenly on either side of the interval")
  func evenly() {
    #expect(cadence.waits == .seconds(150) ... .seconds(450))
    #expect([0, 1 << 62, 1 << 63, 3 << 62].map { wait($0) } == [150, 225, 300, 375])
    #expect(wait(.max) < 450 && wait(.max) > 449.999)
  }

  @Test("the server's wish puts off the whole time in which the attempt may come, and leaves it as long")
  func wish() {
    let wished = now + .seconds(1_000)
    #expect(wait(0, notBefore: wished) == 1_000)
    #expect(wait(1 << 63, notBefore: wished) == 1_150)
    #expect(wait(1 << 63, notBefore: now + .seconds(100)) == 300, "a wish that is over before it begins")
  }

  @Test("without a spread the wait is the interval, and with the whole of it anything up to twice that")
  func bounds() {
    let (fixed, free) = (SlowCadence(every: .seconds(60), spread: 0), SlowCadence(every: .seconds(60), spread: 1))
    for word: UInt64 in [0, 1 << 63, .max] {
      #expect(fixed.next(after: now, notBefore: .zero, word: word) == now + .seconds(60))
    }
    #expect(free.waits == .zero ... .seconds(120))
  }

  @Test("clients that are suspended at one moment come back spread, by the random bits of the event, each time anew")
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

  @Test("a spread that is none, negative or beyond the whole never leads back in time, and waits stay in order")
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

  @Test("half of the interval is the usual spread, and each wait lies within the bounds that are told")
  func usual() {
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
