// SPDX-License-Identifier: GPL-3.0-or-later
import Statistics
import Testing

@Suite("Exact moments")
struct MomentTallyTests {
  private func tally(_ values: some Sequence<Int>) -> MomentTally {
    values.reduce(into: MomentTally()) { $0.add($1) }
  }

  @Test("mean and variance of a known sample")
  func known() {
    let moments = tally([2, 4, 4, 4, 5, 5, 7, 9])
    #expect(moments.count == 8 && moments.mean == 5)
    #expect(abs(moments.variance - 32.0 / 7) < 1e-15)
    #expect(abs(moments.standardError - (32.0 / 7 / 8).squareRoot()) < 1e-15)
  }

  @Test("adding a value several times is adding it that often")
  func times() {
    var histogram = MomentTally()
    histogram.add(-7, times: 3)
    histogram.add(4, times: 2)
    #expect(histogram == tally([-7, -7, -7, 4, 4]))
  }

  @Test("squares beyond 64 bits are exact")
  func large() {
    let value = 1 << 40
    let moments = tally([value, -value, value])
    #expect(moments.sumOfSquares == Int128(3) << 80)
  }

  @Test("a small variance on top of a large mean does not cancel")
  func cancellation() {
    let moments = tally((0..<1000).map { 1_000_000_000_000 + $0 % 2 })
    #expect(abs(moments.variance - 0.25 * 1000 / 999) < 1e-12)
    #expect(tally(repeatElement(-1_000_000_007, count: 99)).variance == 0)
  }

  @Test("squared distances from a fraction agree with the definition", arguments: [-5.25, -3.25, 0, 0.5, 3.5, 17.875])
  func distances(centre: Double) {
    let values = [-5, -1, 0, 3, 3, 20]
    let expected = values.reduce(0.0) { $0 + (Double($1) - centre) * (Double($1) - centre) }
    #expect(tally(values).sumOfSquaredDistances(from: centre) == expected)
  }

  @Test("nothing and a single value have no spread")
  func degenerate() {
    #expect(MomentTally().mean == 0 && MomentTally().variance == 0 && MomentTally().standardError == 0)
    #expect(tally([5]).mean == 5 && tally([5]).standardDeviation == 0)
  }
}
