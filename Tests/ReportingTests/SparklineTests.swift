// SPDX-License-Identifier: GPL-3.0-or-later
import Reporting
import Testing

@Suite("A sparkline")
struct SparklineTests {
  @Test("shows each value at its height between the least and the largest")
  func heights() {
    #expect(Sparkline.text([0, 1, 2, 3, 4, 5, 6, 7]) == "▁▂▃▄▅▆▇█")
    #expect(Sparkline.text([10, -10, 0]) == "█▁▅")
  }

  @Test("leaves a gap for missing values")
  func gaps() {
    #expect(Sparkline.text([1, nil, 2, Double.nan, Double.infinity, 1]) == "▁ █  ▁")
    #expect(Sparkline.text([nil, nil]) == "  ")
    #expect(Sparkline.text([]).isEmpty)
  }

  @Test("has middle height for equal values", arguments: [0, -3.5, Double.greatestFiniteMagnitude])
  func constant(value: Double) {
    #expect(Sparkline.text([value, value, nil, value]) == "▄▄ ▄")
  }

  @Test("covers the full range of doubles")
  func extremes() {
    let largest = Double.greatestFiniteMagnitude
    #expect(Sparkline.text([-largest, 0, largest]) == "▁▅█")
    #expect(Sparkline.text([0, Double.leastNonzeroMagnitude]).count == 2)
  }
}
