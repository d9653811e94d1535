// SPDX-License-Identifier: GPL-3.0-or-later
public import Reporting

/// Tables of measurements: their columns, units and intervals follow from the measures.
extension Table {
  /// A table with a row for each measurement: its estimate, and its interval at the given confidence or at its own.
  public init(_ measurements: [Measurement], at confidence: Double) {
    self.init(
      ["measure"], numbers: ["estimate", "from", "to"], ["unit"],
      rows: measurements.map { one in
        let text = FigureText(one, at: confidence)
        return [one.measure.fullName, text.value, text.low, text.high, one.measure.unit]
      })
  }

  /// A table with a row for each label and a column for each measure: estimates with the half-width of their
  /// interval, `49.13% ±0.21`, at the given confidence or at their own.
  ///
  /// - Parameters:
  ///   - measurements: the measurements to show; labels may lack some measures.
  ///   - heading: the heading of the labels; labels that begin with it, such as `week 3`, are shown without it.
  ///   - names: the names of the measures, in the order of the columns; empty for all.
  ///   - confidence: above 0 and below 1.
  public init(_ measurements: [Measurement], by heading: String, _ names: [String] = [], at confidence: Double) {
    var (rows, indices): ([(label: String, cells: [String: String])], [String: Int]) = ([], [:])
    var columns: [Measure] = []
    for one in measurements where names.isEmpty || names.contains(one.measure.name) {
      let (name, label) = (one.measure.name, one.measure.label ?? "")
      if !columns.contains(where: { $0.name == name }) { columns.append(one.measure) }
      let index = indices[label] ?? rows.count
      if index == rows.count {
        indices[label] = index
        rows.append((label, [:]))
      }
      rows[index].cells[name] = one.text(at: confidence)
    }
    if !names.isEmpty { columns = names.compactMap { name in columns.first { $0.name == name } } }
    self.init(
      [heading],
      numbers: columns.map { one in
        let isUnique = columns.count { $0.title == one.title } == 1
        return (isUnique ? "" : one.name.prefix { $0 != "." } + ": ") + one.heading
      },
      rows: rows.map { row in
        let label = row.label.hasPrefix(heading + " ") ? String(row.label.dropFirst(heading.count + 1)) : row.label
        return [label] + columns.map { row.cells[$0.name] ?? "" }
      })
  }

  /// The full table, for programs: a row for each measurement; an unbounded end is empty.
  init(tidy measurements: [Measurement], at confidence: Double) {
    self.init(
      ["measure", "label", "unit", "estimate", "low", "high", "confidence", "samples"],
      rows: measurements.map { one in
        let range = one.knownRange(at: confidence)
        return [one.measure.name, one.measure.label ?? "", one.measure.unit]
          + [one.estimate, range.lowerBound, range.upperBound, one.ownConfidence(confidence)].map {
            $0.isFinite ? NumberFormat.shortest($0) : ""
          } + [one.samples.map(String.init) ?? ""]
      })
  }
}

extension Measure {
  /// The heading of its column: the title, and the unit unless the title ends with it.
  public var heading: String { unit.isEmpty || title.hasSuffix(unit) ? title : "\(title), \(unit)" }
}

extension Measurement {
  /// The estimate with the half-width of its interval at a confidence, or at its own, without its unit: `49.13% ±0.21`;
  /// with the ends, `100.0% (82.9%..100.0%)`, if the half-width would reach beyond 100% of a share, or below 0 although
  /// the interval does not; `16.4358 ±?` if there are too few samples for an interval. A count includes the number of
  /// undecided samples.
  public func text(at confidence: Double) -> String {
    if case .count(let count, let undecided) = value, undecided > 0 {
      return "\(NumberFormat.grouped(count)), \(NumberFormat.grouped(undecided)) undecided"
    }
    // An infinite time stands for a moment that never comes.
    if estimate == .infinity, measure.unit == "s" { return "never" }
    let text = FigureText(self, at: confidence)
    let range = knownRange(at: confidence)
    let half = max(range.upperBound - estimate, estimate - range.lowerBound)
    if half.isFinite, half > 0, measure.isShare && estimate + half > 1 || range.lowerBound >= 0 && estimate - half < 0 {
      return "\(text.value) (\(text.range))"
    }
    return text.value + (text.range.isEmpty ? "" : " ±" + (text.halfWidth.isEmpty ? "?" : text.halfWidth))
  }
}

extension Figure.Point {
  /// A point for a measurement, with its interval at a confidence, or at its own, if that is bounded.
  public init(_ x: Double, _ found: Measurement, at confidence: Double, scale: Double = 1) {
    let range = found.knownRange(at: confidence)
    let (low, high) = (range.lowerBound * scale, range.upperBound * scale)
    self.init(x, found.estimate * scale, interval: low.isFinite && high.isFinite && low < high ? low...high : nil)
  }
}
