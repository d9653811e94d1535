// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
internal import Reporting

/// The report of an experiment that ran at several points.
struct VariedReport {
  let summary: String
  /// The parameters of a sweep; none if settings were compared.
  let axes: [SweepAxis]
  let rows: [VariedRow]
  let confidence: Double

  private var isSweep: Bool { !axes.isEmpty }

  /// A setting that the first row is compared with.
  private struct Comparison {
    let row: VariedRow
    let differences: [Difference]
  }

  private struct Difference {
    let before: Measurement
    let after: Measurement
    let measurement: Measurement
    /// The factor of samples that an unpaired comparison needs for the same standard error; `nil` if unknown.
    var gain: Double?
    /// The largest confidence at which the interval excludes 0, as text.
    let certainty: String
  }

  /// The variance of an unpaired difference of two means over that of the samples' differences (Law, "Simulation
  /// Modeling and Analysis", section 11.2).
  private static func gain(_ before: Measurement, _ after: Measurement, _ pair: Measurement) -> Double? {
    func variance(_ one: Measurement) -> Double? {
      switch one.value {
      case .mean(_, let deviation, _): deviation * deviation
      case .proportion: one.estimate * (1 - one.estimate)
      default: nil
      }
    }
    guard let first = variance(before), let second = variance(after), let paired = variance(pair), paired > 0 else {
      return nil
    }
    return (first + second) / paired
  }

  private var comparisons: [Comparison] {
    guard !isSweep, let base = rows.first else { return [] }
    return rows.dropFirst().map { row in
      let others = Dictionary(row.measurements.map { ($0.measure.fullName, $0) }) { first, _ in first }
      return Comparison(
        row: row,
        differences: base.measurements.compactMap { one in
          guard let other = others[one.measure.fullName] else { return nil }
          if let pairs = row.pairs {
            let pair = pairs.first { $0.measure.fullName == one.measure.fullName }
            return pair.map { self.difference(one, other, $0, at: row.label) }
          }
          return difference(one, other, at: row.label)
        })
    }
  }

  private func difference(
    _ before: Measurement, _ after: Measurement, _ pair: Measurement, at point: String
  ) -> Difference {
    let measure = before.measure.difference(at: point, confidence: confidence, isPaired: true)
    let measurement = Measurement(
      measure, pair.value, bonferroniDivisor: pair.bonferroniDivisor, evidence: pair.evidence)
    return Difference(
      before: before, after: after, measurement: measurement, gain: Self.gain(before, after, pair),
      certainty: measure.kind == .mean
        ? certainty { !measurement.interval(at: $0).contains(0) } : ownCertainty(of: measurement))
  }

  private func difference(_ before: Measurement, _ after: Measurement, at point: String) -> Difference {
    func difference(_ confidence: Double) -> MeasurementDifference {
      MeasurementDifference(from: before, to: after, relation: .unknown, confidence: confidence)
    }
    let measurement = difference(confidence).measurement(at: point, confidence: confidence)
    let isSampled = before.measure.kind == .mean || before.measure.kind == .proportion
    return Difference(
      before: before, after: after, measurement: measurement,
      certainty: isSampled
        ? certainty { !difference($0).interval.contains(0) } : ownCertainty(of: measurement))
  }

  /// The fixed confidence of a measurement's interval if it excludes 0; otherwise empty.
  private func ownCertainty(of measurement: Measurement) -> String {
    guard !measurement.knownRange(at: confidence).contains(0) else { return "" }
    let own = measurement.ownConfidence(confidence)
    return own == 1 ? "certain" : NumberFormat.shortest(own * 100) + "%"
  }

  /// The largest confidence at which 0 is excluded, as text; empty if there is none.
  private func certainty(_ excludes: (_ confidence: Double) -> Bool) -> String {
    guard excludes(0.5) else { return "" }
    var (low, high) = (log(1e-9), log(0.5))
    if excludes(1 - 1e-9) { return "more than 99.9999999%" }
    for _ in 0..<40 {
      let middle = (low + high) / 2
      if excludes(1 - exp(middle)) { high = middle } else { low = middle }
    }
    return NumberFormat.percent(1 - exp(high), decimals: 2)
  }

  var measurements: [Measurement] {
    let differences = comparisons.map { $0.differences.map(\.measurement) }
    return rows.enumerated().flatMap { position, row in
      row.measurements.map { $0.of($0.measure.of(row.label)) }
        + (isSweep || position == 0 ? [] : differences[position - 1])
    }
  }

  var json: JSONValue {
    [
      "points": .array(rows.map { row in .object(row.settings.map { JSONMember($0.key, $0.shown) }) })
    ]
  }

  /// The most measures that are shown; the others are folded, since each takes half a page.
  private static let maxMeasures = 6

  var document: Document {
    let columns = columns
    let (first, others) = (columns.prefix(Self.maxMeasures), columns.dropFirst(Self.maxMeasures))
    let more = NumberFormat.counted(others.count, "more measure")
    let title = summary.hasSuffix(".") ? String(summary.dropLast()) : summary
    let what =
      isSweep
      ? "\(NumberFormat.grouped(rows.count)) points of \(axes.map(\.key).joined(separator: " and "))"
      : "The baseline, and \(NumberFormat.counted(rows.count - 1, "other setting"))"
    return Document(
      id: isSweep ? "sweep" : "versus", title: title,
      [
        .paragraph(
          "\(what), all with the same random numbers; each interval holds individually, at "
            + "\(NumberFormat.shortest(confidence)) unless it has its own confidence."
            + (isSweep && !others.isEmpty
              ? " \(more) \(others.count == 1 ? "is" : "are") folded below; --verbose prints them." : ""))
      ] + (isSweep ? [] : comparisons.map(table)) + blocks(of: Array(first))
        + (others.isEmpty ? [] : [.details(summary: more, blocks(of: Array(others)))]), data: data)
  }

  private func blocks(of columns: [Column]) -> [ReportBlock] {
    (isSweep ? tables(of: columns) : []) + figures(of: columns) + heatMaps(of: columns)
  }

  // MARK: Tables

  private typealias Column = (name: String, measures: [(measure: Measure, values: [Measurement?])])

  /// The measurements of every row by the measure, in the order in which they come first.
  private var columns: [Column] {
    var (positions, all) = ([String: Int](), [(Measure, [Measurement?])]())
    for (index, row) in rows.enumerated() {
      for one in row.measurements {
        let position = positions[one.measure.fullName] ?? all.count
        if position == all.count {
          positions[one.measure.fullName] = position
          all.append((one.measure, Array(repeating: nil, count: rows.count)))
        }
        all[position].1[index] = one
      }
    }
    var names: [String] = []
    for (measure, _) in all where !names.contains(measure.name) { names.append(measure.name) }
    let groups = Dictionary(grouping: all) { $0.0.name }
    return names.map { name in (name, (groups[name] ?? []).map { ($0.0, $0.1) }) }
  }

  /// The most measures in a table; those of one name stay together.
  private static let measuresOfTable = 5

  private func tables(of columns: [Column]) -> [ReportBlock] {
    var groups: [[(measure: Measure, values: [Measurement?])]] = []
    for (_, measures) in columns {
      if let last = groups.last, last.count + measures.count <= Self.measuresOfTable {
        groups[groups.count - 1] += measures
      } else {
        groups.append(measures)
      }
    }
    return groups.map { measures in
      var captions: [String] = []
      for (measure, _) in measures {
        let meanings = measures.map(\.measure).filter { $0.name == measure.name }.map(\.meaning)
        let caption = "\(measure.name): \(Self.shared(meanings))."
        if !captions.contains(caption) { captions.append(caption) }
      }
      return .table(
        Table(
          [], numbers: axes.map(\.key) + measures.map(\.measure.axisTitle),
          rows: rows.indices.map { row in
            rows[row].settings.map(\.shown.plain) + measures.map { $0.values[row]?.text(at: confidence) ?? "" }
          }), caption: captions.joined(separator: " "))
    }
  }

  /// The common meaning of labels: "The chance of rain" of "The chance of rain, on day 1" and "…, on day 2".
  private static func shared(_ meanings: [String]) -> String {
    let first = meanings.first ?? ""
    let common = meanings.reduce(first) { $0.commonPrefix(with: $1) }
    let end = common == first ? nil : common.range(of: ", ", options: .backwards)
    return end.map { String(common[..<$0.lowerBound]) } ?? String(first.hasSuffix(".") ? first.dropLast() : first[...])
  }

  private func table(of comparison: Comparison) -> ReportBlock {
    .table(
      Table(
        ["measure"], numbers: ["baseline", "other", "difference", "from..to", "differs at"], ["unit"],
        rows: comparison.differences.map { one in
          let (measure, range) = (one.before.measure, one.measurement.knownRange(at: confidence))
          let scale = measure.isShare ? 100.0 : 1
          let text = FigureText(
            one.measurement.estimate * scale, in: range.lowerBound * scale...range.upperBound * scale, isSigned: true)
          return [measure.fullName] + [one.before, one.after].map { FigureText($0, at: confidence).value }
            + [text.value, text.range, one.certainty, measure.isShare ? "%" : measure.unit]
        }),
      caption: "\(comparison.row.label) is the other setting. 'Differs at' is the largest confidence at which the "
        + "interval of the difference excludes 0."
        + (comparison.row.pairs == nil
          ? "" : " Differences are those of samples drawn in pairs, each pair with its own random stream.")
        + Self.sentence(comparison.differences.compactMap { one in one.gain.map { (one.before.measure.fullName, $0) } })
    )
  }

  /// The measures whose gain is stated.
  private static let maxGains = 6

  private static func sentence(_ gains: [(name: String, gain: Double)]) -> String {
    gains.isEmpty
      ? ""
      : " Pairing is as good as this many times the samples: "
        + gains.prefix(maxGains).map { "\($0.name) \(NumberFormat.fixed($0.gain, decimals: $0.gain < 10 ? 1 : 0))" }
        .joined(separator: ", ") + "."
  }

  /// A row a measurement, with a column for each parameter.
  private var data: Table {
    let differences = comparisons.map { comparison in
      comparison.differences.map { $0.measurement.unlabelled(comparison.row.label) }
    }
    let tables = rows.enumerated().map { position, row in
      Table(
        tidy: row.measurements + (isSweep || position == 0 ? [] : differences[position - 1]), at: confidence,
        behind: isSweep ? row.settings.map { ($0.key, $0.shown.plain) } : [("setting", row.label)])
    }
    return Table(tables.first?.columns ?? [], rows: tables.flatMap(\.rows))
  }

  // MARK: Pictures

  /// The most lines of a picture, which people can still distinguish.
  private static let maxLines = 6

  /// The most panels of a figure; more lines than `maxLines` have a panel each.
  private static let maxPanels = 12

  /// At most this number of elements, from the first to the last and evenly spread.
  private static func spread<Element>(_ elements: [Element], maximum: Int) -> [Element] {
    elements.count <= maximum ? elements : (0..<maximum).map { elements[$0 * (elements.count - 1) / (maximum - 1)] }
  }

  /// A figure for each measure: along one parameter, with a line for each label; or along the longer of two, with lines
  /// for some values of the other.
  private func figures(of columns: [Column]) -> [ReportBlock] {
    guard axes.count <= 2 else { return [] }
    guard axes.count == 2 else {
      return columns.compactMap { name, measures in
        let first = measures[0].measure
        let common = Measure(
          name, of: measures.count == 1 ? first.label : nil, meaning: Self.shared(measures.map(\.measure.meaning)),
          unit: first.unit, kind: first.kind, isShare: first.isShare)
        return figure(
          name, common, along: axes.first,
          lines: Self.spread(measures, maximum: Self.maxPanels).map {
            ($0.measure.label ?? name, Array($0.values.enumerated()))
          })
      }
    }
    let along = axes[0].settings.count >= axes[1].settings.count ? 0 : 1
    let (other, width) = (axes[1 - along], axes[1].settings.count)
    let shown = Self.spread(Array(other.settings.indices), maximum: Self.maxLines)
    return columns.flatMap(\.measures).compactMap { measure, values in
      figure(
        measure.fullName, measure, along: axes[along],
        lines: shown.map { line in
          (
            other.settings[line].label,
            axes[along].settings.indices.map { position -> (offset: Int, element: Measurement?) in
              // Points after an interruption have no values.
              let point = along == 0 ? position * width + line : line * width + position
              return (position, values.indices.contains(point) ? values[point] : nil)
            }
          )
        })
    }
  }

  private func figure(
    _ name: String, _ measure: Measure, along axis: SweepAxis?,
    lines: [(name: String, values: [(offset: Int, element: Measurement?)])]
  ) -> ReportBlock? {
    let labels = axis?.settings.map(\.shown.plain) ?? rows.map { $0.label.isEmpty ? "baseline" : $0.label }
    let numbers = (axis?.settings ?? []).compactMap { NumberScale.read($0.shown) }
    let isNumeric = !numbers.isEmpty && numbers.count == labels.count
    let scale = measure.isShare ? 100.0 : 1
    let series = lines.map { line in
      Figure.Series(
        line.name, style: isNumeric ? .line : .points,
        points: line.values.compactMap { position, one in
          guard let one, one.estimate.isFinite else { return nil }
          return Figure.Point(
            isNumeric ? numbers[position].number.rounded : Double(position), one, at: confidence, scale: scale)
        })
    }
    // Settings that make no difference need no picture.
    let isFlat = !isSweep && series.allSatisfy { line in line.points.allSatisfy { $0.y == line.points[0].y } }
    guard series.contains(where: { !$0.points.isEmpty }), !isFlat else { return nil }
    let key = axis?.key ?? "setting"
    return .figure(
      Figure(
        id: "\(isSweep ? "sweep" : "versus")-\(name)", title: "\(name) by \(key)",
        alternative:
          "\(Self.shared([measure.meaning])). Its figures at \(labels.count) values of \(key), with their intervals.",
        x: Figure.Axis(
          axis?.title ?? key,
          scale: !isNumeric ? .names(labels) : axis?.isLogarithmic == true ? .logarithmic : .linear),
        y: Figure.Axis(measure.axisMeaning), series: series
      ).showing([Figure.Subject(measure.name, scale: scale)]))
  }

  /// The most cells of a picture.
  private static let maxCells = 900

  /// A heat map for each measure over two parameters, where lines cannot show all values.
  private func heatMaps(of columns: [Column]) -> [ReportBlock] {
    guard axes.count == 2, axes.allSatisfy({ $0.settings.count > Self.maxLines }), rows.count <= Self.maxCells else {
      return []
    }
    let names = axes.map { axis in Figure.Axis(axis.title, scale: .names(axis.settings.map(\.shown.plain))) }
    let width = axes[1].settings.count
    return columns.flatMap(\.measures).map { measure, values in
      let scale = measure.isShare ? 100.0 : 1
      return .figure(
        Figure(
          id: "map-\(measure.fullName)", title: "\(measure.fullName) over \(axes[0].key) and \(axes[1].key)",
          alternative: "\(Self.shared([measure.meaning])). A cell for each pair of values, the darker the greater.",
          x: names[1], y: names[0],
          series: [
            Figure.Series(
              measure.axisTitle, style: .cells,
              points: values.enumerated().compactMap { position, one in
                one.map { one in
                  let range = one.knownRange(at: confidence)
                  return Figure.Point(
                    column: position % width, row: position / width, value: one.estimate * scale,
                    interval: (range.lowerBound * scale)...(range.upperBound * scale))
                }
              })
          ]))
    }
  }
}

// MARK: Texts

extension JSONValue {
  /// The text in a table.
  fileprivate var plain: String { if case .string(let text) = self { text } else { yamlInline } }
}

extension Measure {
  /// The full name with the unit.
  var axisTitle: String {
    let unit = isShare ? "%" : unit
    return unit.isEmpty ? fullName : "\(fullName), \(unit)"
  }

  /// The meaning with the unit, for pictures.
  package var axisMeaning: String { (meaning.isEmpty ? fullName : meaning).titled(in: isShare ? "%" : unit) }
}

extension Measurement {
  /// The same figure of a measure with another label.
  fileprivate func of(_ measure: Measure) -> Measurement {
    Measurement(measure, value, bonferroniDivisor: bonferroniDivisor, evidence: evidence)
  }

  /// The measurement without the label of its point, for which it has a column.
  fileprivate func unlabelled(_ point: String) -> Measurement {
    let own = measure.label.flatMap { $0 == point ? nil : String($0.dropLast(point.count + 2)) }
    return of(measure.labelled(own))
  }
}

extension MeasurementDifference {
  /// The difference as a measurement.
  fileprivate func measurement(at point: String, confidence: Double) -> Measurement {
    let measure = before.measure.difference(at: point, confidence: confidence, isPaired: false)
    let samples = min(before.samples ?? 0, after.samples ?? 0)
    let value: Measurement.Value =
      switch (before.value, measure.kind) {
      case (.count(let first, let open), _):
        .count(Int(after.estimate) - first - open, undecided: open + after.undecided)
      case (_, .interval(let confidence)):
        .interval(
          estimate, low: interval.lowerBound, high: interval.upperBound, confidence: confidence, samples: samples)
      default: .exact(estimate)
      }
    return Measurement(measure, value)
  }
}

extension Measurement {
  fileprivate var undecided: Int { if case .count(_, let undecided) = value { undecided } else { 0 } }
}

extension Table {
  /// A full table of measurements, for programs, after columns with the same text in every row.
  init(tidy measurements: [Measurement], at confidence: Double, behind first: [(title: String, text: String)]) {
    let table = Table(tidy: measurements, at: confidence)
    self.init(
      first.map { Column($0.title) } + table.columns, rows: table.rows.map { row in first.map(\.text) + row })
  }
}
