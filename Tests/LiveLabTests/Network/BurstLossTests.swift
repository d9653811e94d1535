// SPDX-License-Identifier: GPL-3.0-or-later
import LiveCore
import Testing

@testable import LiveLab

@Suite("Losses in bursts")
struct BurstLossTests {
  @Test("the share lost is that of the chain of Gilbert and Elliott in its stationary state")
  func stationary() throws {
    var random = try SessionRandom(seed: 21)
    var way = BurstLoss(enter: 0.02, leave: 0.2, good: 0.01, bad: 0.6)
    let count = 400_000
    let lost = (0..<count).count { _ in way.losesPacket(using: &random) }
    // Bad for 0.02 / (0.02 + 0.2) of the time. The chain's memory is 1 - 0.02 - 0.2 from packet to packet, which makes
    // the standard error 0.000 81: five of them are exceeded once in a million seeds.
    let expected = (0.02 * 0.6 + 0.2 * 0.01) / 0.22
    #expect(abs(Double(lost) / Double(count) - expected) < 5 * 0.000_81)
  }

  @Test("a burst has the mean length that the chance of leaving says, and so has the time between bursts")
  func lengths() throws {
    var random = try SessionRandom(seed: 22)
    var way = BurstLoss(enter: 0.05, leave: 0.25, good: 0, bad: 1)
    var lengths: [[Int]] = [[0], [0]]
    for _ in 0..<200_000 {
      let isBad = way.isBad ? 1 : 0
      let isLost = way.losesPacket(using: &random)
      #expect(isLost == (isBad == 1))
      lengths[isBad][lengths[isBad].count - 1] += 1
      if way.isBad != (isBad == 1) { lengths[isBad].append(0) }
    }
    // Some 8,300 of each, geometric, with deviations of 19.5 and 3.46: six standard errors.
    for (isBad, expected, deviation) in [(0, 20.0, 19.5), (1, 4.0, 3.46)] {
      let found = lengths[isBad].dropLast().map(Double.init)
      #expect(found.count > 8_000)
      #expect(abs(found.reduce(0, +) / Double(found.count) - expected) < 6 * deviation / 89)
    }
  }

  @Test("a way is good at first, and changes only after a packet")
  func first() throws {
    var random = try SessionRandom(seed: 23)
    var way = BurstLoss(enter: 1, leave: 1, good: 0, bad: 1)
    let lost = (0..<6).map { _ in way.losesPacket(using: &random) }
    #expect(lost == [false, true, false, true, false, true])
  }
}
