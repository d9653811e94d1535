// SPDX-License-Identifier: GPL-3.0-or-later
internal import Scenarios

extension FigureScript {
  /// The key below the plot: for every named series what it looks like, and its name.
  ///
  /// It is made of arrows, rectangles and labels at places of our own, for gnuplot's key leaves out entries that it
  /// finds no room for.
  func key(_ medium: FigureMedium) -> [String] {
    let named = series.filter { !$0.name.isEmpty }
    return named.enumerated().flatMap { index, series in
      let x = FigureLayout.edge + index % layout.keyColumns * layout.keyPitch
      let y = layout.key + 13 + index / layout.keyColumns * FigureLayout.line
      let name = FigureText.quoted(Self.keyName(series))
      return samples(of: series, x, y, medium) + [
        "set label \(name) at \(place(x + 52, y)) left textcolor rgb '\(medium.colour(.ink))'"
      ]
    }
  }

  private func samples(of series: DrawnSeries, _ x: Int, _ y: Int, _ medium: FigureMedium) -> [String] {
    let line = "set arrow from \(place(x, y)) to \(place(x + 42, y)) nohead \(lineLooks(series, medium))"
    let point = "set label '' at \(place(x + 21, y)) point \(pointLooks(series, medium, size: 1))"
    switch series.style {
    case .line: return series.points.count <= Self.mostMarked || isSigned(series) ? [line, point] : [line]
    case .reference: return [line]
    case .points: return [point]
    case .bars:
      return ["set object rectangle from \(place(x, y - 7)) to \(place(x + 42, y + 7)) \(barLooks(series, medium))"]
    }
  }

  private func place(_ x: Int, _ y: Int) -> String { "screen \(across(x)), screen \(down(y))" }
}
