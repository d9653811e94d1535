// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
internal import Reporting
internal import Scenarios

extension Figure {
  /// What the figure draws, as numbers: a row for each point, to six digits.
  var dataTable: ReportTable {
    let points = series.flatMap(\.points)
    let hasIntervals = points.contains { $0.interval != nil }
    let hasNames = series.count > 1
    var table = Table(
      (hasNames ? [Table.Column("Series")] : [])
        + [Table.Column(x.title, x.alignment), Table.Column(y.title, y.alignment)]
        + (hasIntervals ? [Table.Column("from", .right), Table.Column("to", .right)] : []))
    for series in series {
      for point in series.points {
        table.add(
          (hasNames ? [series.name.isEmpty ? "–" : series.name] : []) + [x.text(point.x), y.text(point.y)]
            + (point.interval.map { [y.text($0.lowerBound), y.text($0.upperBound)] } ?? []))
      }
    }
    return ReportTable(caption: "The data of “\(title)”", table)
  }
}

extension Figure.Axis {
  fileprivate var alignment: Table.Column.Alignment {
    switch scale {
    case .names: .left
    case .linear, .logarithmic: .right
    }
  }

  /// A place on the axis: its name, or its number to six digits; a dash where a line is broken.
  fileprivate func text(_ value: Double) -> String {
    guard !value.isNaN else { return "–" }
    if case .names(let names) = scale, let index = Int(exactly: value), names.indices.contains(index) {
      return names[index]
    }
    if let count = Int(exactly: value), count.magnitude >= 10_000 { return NumberFormat.grouped(count) }
    return NumberFormat.shortest(Double(String(format: "%.6g", value)) ?? value)
  }
}
