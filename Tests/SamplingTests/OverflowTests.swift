// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Randomness
import Sampling
import Scenarios
import Testing

/// The experiment of docs/rare.md, which may also weight its samples wrongly.
private struct Overflow: SampledExperiment {
  static let kind = "queue.overflow"
  static let summary = "Whether a queue with one customer overflows before it is empty."

  var load = 0.6
  var size = 60
  var isRight = true

  static let parameters: [Parameter<Self>] = [
    Parameter("load", \.load, .number(0...1, isOpen: true), "Arrivals for each departure.", example: "0.8"),
    Parameter("size", \.size, .count(2...10_000), "The customers inside at which it overflows.", example: "20"),
  ]

  static let measures: [SampleMeasure<(isFull: Bool, weight: Double)>] = [
    .weighted("overflow", "The chance of an overflow.") { ($0.isFull ? 1 : 0, $0.weight) },
    .exact("overflow.exact", "The same, by the gambler's ruin.", \Self.exact),
  ]

  var exact: Double { (1 / load - 1) / (pow(1 / load, Double(size)) - 1) }

  func sample(_ random: inout RandomStream) -> (isFull: Bool, weight: Double) {
    var (inside, weight) = (1, 1.0)
    while inside > 0, inside < size {
      let isArrival = random.happens(1 / (1 + load))
      inside += isArrival ? 1 : -1
      weight *= isArrival ? load : isRight ? 1 / load : 1
    }
    return (inside == size, weight)
  }
}

@Suite("A rare event, drawn as if it were common")
struct OverflowTests {
  @Test("has its exact chance in the interval, at any size, and not with wrong weights", arguments: [5, 20, 60, 200])
  func chance(size: Int) throws {
    var queue = Overflow()
    queue.size = size
    let exact = queue.exact
    let found = try queue.run(samples: 4_000)["overflow"]
    let interval = found.interval(at: 0.999)
    #expect(interval.contains(exact) && interval.upperBound < 1.2 * exact, "\(found.estimate) of \(exact)")
    queue.isRight = false
    #expect(try queue.run(samples: 4_000)["overflow"].estimate < 0.8 * exact)
  }

  @Test("overflows at 60 with a load of 0.6 once in 3e13 times")
  func known() throws {
    #expect(abs(try Overflow().run(samples: 100)["overflow.exact"].estimate / 3.25825e-14 - 1) < 1e-5)
  }
}
