// SPDX-License-Identifier: GPL-3.0-or-later
import Testing
import Workbench

@testable import percolation

struct PercolationTests {
  @Test("the declaration is sound") func declaration() { #expect(Grid.runnable.problems() == []) }

  @Test("two cells by two let water through at two thirds on average: a third after two cells, the rest after three")
  func twoByTwo() throws {
    var grid = Grid()
    grid.side = 2
    let threshold = try grid.run(samples: 2_000, seed: 7)["threshold"]
    #expect(threshold.interval(at: 0.999).contains(2.0 / 3), "\(threshold.estimate)")
  }
}
