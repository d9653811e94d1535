// SPDX-License-Identifier: GPL-3.0-or-later
import Workbench

/// A square grid whose cells are opened in random order until open ones connect top and bottom.
struct Grid: SampledExperiment {
  static let kind = "percolation.grid"
  static let summary = "Opens the cells of a grid until water runs through, and counts them."

  var side = 64

  static let parameters: [Parameter<Self>] = [
    Parameter("side", \.side, .count(1...2_000), "Cells along a side.", example: "128")
  ]

  static let measures: [SampleMeasure<Double>] = [
    .mean("threshold", "The share of open cells at which water runs through.") { $0 },
    .percentiles("threshold.spread", "The same share, of single grids.", [5, 50, 95]) { $0 },
  ]

  func sample(_ random: inout RandomStream) -> Double {
    let cells = side * side
    var (sets, order) = (DisjointSets(cells + 2), Array(0..<cells))
    let (top, bottom) = (cells, cells + 1)
    var isOpen = Array(repeating: false, count: cells)
    random.shuffle(&order)
    for (opened, cell) in order.enumerated() {
      isOpen[cell] = true
      let (row, column) = cell.quotientAndRemainder(dividingBy: side)
      if row == 0 { sets.join(cell, top) }
      if row == side - 1 { sets.join(cell, bottom) }
      if row > 0, isOpen[cell - side] { sets.join(cell, cell - side) }
      if row < side - 1, isOpen[cell + side] { sets.join(cell, cell + side) }
      if column > 0, isOpen[cell - 1] { sets.join(cell, cell - 1) }
      if column < side - 1, isOpen[cell + 1] { sets.join(cell, cell + 1) }
      if sets.root(of: top) == sets.root(of: bottom) { return Double(opened + 1) / Double(cells) }
    }
    return 1
  }
}

/// Disjoint sets that can only be joined; with path halving.
struct DisjointSets {
  private var parents: [Int]

  init(_ count: Int) { parents = Array(0..<count) }

  mutating func root(of element: Int) -> Int {
    var element = element
    while parents[element] != element {
      parents[element] = parents[parents[element]]
      element = parents[element]
    }
    return element
  }

  mutating func join(_ one: Int, _ other: Int) { parents[root(of: one)] = root(of: other) }
}

@main struct Percolation: WorkbenchProgram {
  static let experiments: [any Experiment.Type] = [Grid.self]
}
