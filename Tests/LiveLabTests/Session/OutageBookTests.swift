// SPDX-License-Identifier: GPL-3.0-or-later
import LiveCore
import LiveLab
import Testing

@Suite("The book of outages")
struct OutageBookTests {
  private func moment(_ seconds: Int64) -> Instant { .zero + .seconds(seconds) }

  @Test("the time served and the outages make up the session")
  func served() throws {
    for seed in 1...10 as ClosedRange<UInt32> {
      let result = try play(
        [(.reset, 50, 0), (.blackHole, 100, 60), (.sleep, 300, 50), (.refused, 550, 50), (.reset, 560, 0)], seed: seed
      ).result
      let away = result.outages.reduce(Interval.zero) { $0 + (min($1.ended, .zero + result.duration) - $1.began) }
      #expect(result.served + away == result.duration)
    }
  }

  @Test("an outage is of the fault at hand, or else of the last that holds and can break a connection")
  func causes() throws {
    let slow = Fault.latency(added: .milliseconds(1), jitter: .zero)
    // Without pongs the connection is given up some time after 105 s, when the latency has long begun.
    let silent = try play([(.noPongs, 50, 100), (slow, 60, 200)], world: silence)
    #expect(silent.outages.first?.fault == 0)
    let reset = try play([(.noPongs, 99, 300), (slow, 99, 300), (.reset, 100, 0)], world: silence)
    #expect(reset.outages.first?.fault == 2)
  }

  @Test("it could end from when nothing hinders an attempt any more, if that lasts to its end")
  func possible() throws {
    let hindered = try play([(.reset, 100, 0), (.refused, 100.01, 500)], world: silence)
    #expect(hindered.outages.first?.possible == .never && hindered.outages.first?.ended == .never)
    let begun = try play([(.blackHole, 100, 500)], world: silence)
    #expect(begun.outages.first?.possible == .never && begun.outages.first?.timeToReturn == nil)
    let twice = try play([(.reset, 100, 0), (.refused, 100.01, 9.99), (.insecure, 105, 15)], world: silence)
    #expect(twice.outages.first?.possible == moment(120))
  }

  @Test("a connection that outlives what hinders others was back when it could be")
  func outlived() throws {
    let played = try play([(.refused, 90, 300), (.blackHole, 100, 3)], world: silence)
    let outage = try #require(played.outages.first)
    #expect(outage.attempts == 0 && outage.ended != .never && outage.ended < moment(120))
    #expect(outage.possible == outage.ended && outage.timeToReturn == .zero)
  }

  @Test("an app that is not in front is no hindrance to a client that stays connected")
  func background() throws {
    let played = try play([(.background, 90, 300), (.reset, 100, 0)], world: silence)
    #expect(played.outages.first?.possible == moment(100))
  }
}
