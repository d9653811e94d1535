// SPDX-License-Identifier: GPL-3.0-or-later
import TestSupport
import Testing

@Suite("Pearson's chi-square test")
struct ChiSquareTestTests {
  @Test("Mendel's peas: 315, 101, 108, 32 against 9:3:3:1")
  func mendel() {
    let test = ChiSquareTest(observed: [315, 101, 108, 32], probabilities: [9 / 16, 3 / 16, 3 / 16, 1 / 16])
    #expect(abs(test.statistic - 0.470024) < 1e-6)
    #expect(test.degreesOfFreedom == 3)
    #expect(abs(test.pValue - 0.925426) < 1e-6)
  }

  @Test("cells that expect too little are pooled with their neighbours")
  func pooling() {
    let test = ChiSquareTest(observed: [48, 2, 1, 49, 0], probabilities: [0.46, 0.02, 0.02, 0.49, 0.01])
    #expect(test.degreesOfFreedom == 1)
    #expect(abs(test.statistic - (4.0 / 46 + 4.0 / 54)) < 1e-12)
  }

  @Test("a loaded die is found out")
  func loaded() {
    let test = ChiSquareTest(
      observed: [150, 150, 150, 150, 150, 250], probabilities: [Double](repeating: 1 / 6, count: 6))
    #expect(test.pValue < 1e-6)
  }
}

@Suite("The Kolmogorov-Smirnov test")
struct KolmogorovSmirnovTestTests {
  private let grid = (0..<100).map { (Double($0) + 0.5) / 100 }

  @Test("an even grid is as uniform as can be")
  func grid100() {
    let test = KolmogorovSmirnovTest(sample: grid) { $0 }
    #expect(abs(test.distance - 0.005) < 1e-12)
    #expect(test.pValue == 1)
  }

  @Test("the limit's 5% point is 1.358: a distance of 0.1340 in 100 observations")
  func critical() {
    let shift = 1.3581 / (10 + 0.12 + 0.011) - 0.005
    let test = KolmogorovSmirnovTest(sample: grid.map { $0 + shift }) { min(1, $0) }
    #expect(abs(test.pValue - 0.05) < 0.001)
  }

  @Test("a square is not uniform")
  func square() {
    #expect(KolmogorovSmirnovTest(sample: grid.map { $0 * $0 }) { $0 }.pValue < 1e-4)
  }
}
