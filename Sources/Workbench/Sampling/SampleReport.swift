// SPDX-License-Identifier: GPL-3.0-or-later
internal import Glibc
internal import Reporting
internal import Scenarios

/// The report of a run's samples: a table of the measures, one for labels, curves and distributions.
struct SampleReport<Sample> {
  let measures: [SampleMeasure<Sample>]
  /// The tallies of each measure's columns.
  let tallies: [SampleTallies]
  let measurements: [Measurement]
  let confidence: Double

  /// The most points of a series that a table above the details shows.
  private static var maxPoints: Int { 10 }

  private func measurements(of measure: SampleMeasure<Sample>) -> [Measurement] {
    measurements.filter { $0.measure.name == measure.name }
  }

  /// The measurements of a family for a table with a row for each label: each percentile is a measure there.
  private func columns(of measure: SampleMeasure<Sample>) -> [Measurement] {
    guard case .percentiles = measure.kind else { return measurements(of: measure) }
    return measurements(of: measure).map { one in
      let label = (one.measure.label ?? "").split(separator: ", ")
      let name = "\(measure.name) \(label.last ?? "")"
      return Measurement(
        Measure(
          name, of: label.dropLast().joined(separator: ", "), title: name, meaning: measure.meaning,
          unit: measure.unit, kind: one.measure.kind), one.value)
    }
  }

  var weights: [WeightReport] {
    measurements.isEmpty ? [] : zip(measures, tallies).flatMap { $0.weights(in: $1) }
  }

  // MARK: Tables

  /// A table of the single measures, and one for each list of labels; of a long series, a table of some points and one
  /// of all in details.
  func tables(caption: String) -> [ReportBlock] {
    let single = measures.filter { !$0.isFamily }.flatMap(measurements(of:))
    let families = measures.filter(\.isFamily)
    var caption = caption
    var blocks: [ReportBlock] = []
    /// The first table has the caption of the whole, the others what they show.
    func add(_ table: Table, _ what: String = "") {
      blocks.append(.table(table, caption: caption + (caption.isEmpty || what.isEmpty ? "" : " ") + what))
      caption = ""
    }
    if !single.isEmpty || families.isEmpty { add(Table(single, at: confidence)) }
    var shown: [[String?]] = []
    for family in families where !shown.contains(family.labels) {
      shown.append(family.labels)
      let together = families.filter { $0.labels == family.labels }
      let all = together.flatMap(columns(of:))
      let heading = family.series?.axis ?? Self.heading(of: family.labels.compactMap(\.self))
      let meanings = together.map { "\($0.name): \($0.meaning.sentence)" }.joined(separator: " ")
      guard family.series != nil, family.labels.count > Self.maxPoints else {
        add(Table(all, by: heading, at: confidence), meanings)
        continue
      }
      let last = family.labels.count - 1
      let some = Set((0..<Self.maxPoints).map { family.labels[$0 * last / (Self.maxPoints - 1)] })
      let (rows, count) = (all.filter { some.contains($0.measure.label) }, family.labels.count)
      add(Table(rows, by: heading, at: confidence), "\(Self.maxPoints) of \(count) points. \(meanings)")
      blocks.append(.details(summary: "All \(count) points", [.table(Table(all, by: heading, at: confidence))]))
    }
    return blocks
  }

  /// The first word of all labels: `week` of `week 1` and `week 2`; otherwise `label`.
  private static func heading(of labels: [String]) -> String {
    let words = Set(labels.map { $0.prefix { $0 != " " } })
    guard let word = words.first, words.count == 1, labels.allSatisfy({ $0.count > word.count }) else { return "label" }
    return String(word)
  }

  /// The samples with the least and the greatest number of each single measure.
  func extremes(_ again: @Sendable (Int) -> String) -> Table {
    Table(
      ["measure", "extreme"], numbers: ["value", "sample"], ["to draw it alone"],
      rows: zip(measures, tallies).filter { $0.0.kind != .share && !$0.0.isFamily }.flatMap { measure, tallies in
        zip(measure.columnNames, tallies.columns).flatMap { name, tally in
          [("least", tally.minimum), ("most", tally.maximum)].compactMap { extreme, one in
            one.map { [name, extreme, NumberFormat.significant($0.value), "\($0.sample)", again($0.sample)] }
          }
        }
      })
  }

  // MARK: Figures

  var figures: [ReportBlock] {
    zip(measures, tallies).compactMap { measure, tallies in
      let figure =
        measure.isFamily ? family(measure) : tallies.columns.first.flatMap { distribution(of: measure, in: $0) }
      return figure.map(ReportBlock.figure)
    }
  }

  /// The figures of a family: a curve with its band along the points of a series, otherwise a point for each label.
  private func family(_ measure: SampleMeasure<Sample>) -> Figure? {
    let found = measurements(of: measure)
    guard let first = found.first?.measure, measure.labels.count > 1, found.count == measure.labels.count else {
      return nil
    }
    let scale = first.isPercent ? 100.0 : 1
    let places = measure.series?.points.map(Double.init) ?? found.indices.map(Double.init)
    let labels = measure.labels.compactMap(\.self)
    return Figure(
      id: "labels-" + measure.name.replacing(".", with: "-"),
      title: "\(measure.name) by \(measure.series?.axis ?? Self.heading(of: labels))",
      alternative: "\(measure.meaning.sentence) The estimate at each of \(labels.count) "
        + "\(measure.series == nil ? "labels" : "points") with its interval, which holds individually at "
        + "\(NumberFormat.shortest(confidence)), not for all together.",
      x: Figure.Axis(
        measure.series?.axis ?? Self.heading(of: labels), scale: measure.series == nil ? .names(labels) : .linear),
      y: Figure.Axis(first.axisMeaning),
      series: [
        Figure.Series(
          measure.name, style: measure.series == nil ? .points : .line,
          points: zip(places, found).map { Figure.Point($0, $1, at: confidence, scale: scale) })
      ]
    ).showing([Figure.Subject(measure.name, scale: scale)])
  }

  /// The distribution of the samples' numbers; `nil` for shares and if all are equal.
  private func distribution(of measure: SampleMeasure<Sample>, in tally: SampleTally) -> Figure? {
    guard let histogram = tally.histogram(steps: 40) else { return nil }
    let name = measure.name
    return Figure(
      id: "spread-" + name.replacing(".", with: "-"), title: "The distribution of \(name) over the samples",
      alternative:
        "\(measure.meaning) Shares of the samples by \(histogram.isOfValues ? "values" : "equal steps") of \(name), "
        + "without the outermost thousandths.",
      x: Figure.Axis(measure.meaning.titled(in: measure.unit)), y: Figure.Axis("share of the samples, %"),
      series: [
        Figure.Series(
          "samples", style: histogram.isOfValues ? .points : .line,
          points: zip(histogram.positions, histogram.shares).map { Figure.Point($0, $1 * 100) }),
        .moment("mean", at: tally.total.mean),
      ]
    ).showing([Figure.Subject(name, along: .across)])
  }
}

extension String {
  /// The text with a full stop at its end.
  fileprivate var sentence: String { hasSuffix(".") ? self : self + "." }
}

extension NumberFormat {
  /// A number in six significant digits.
  static func significant(_ value: Double) -> String {
    guard value != 0, value.isFinite else { return shortest(value) }
    let decimals = min(12, max(0, 5 - Int(log10(abs(value)).rounded(.down))))
    return fixed(value, decimals: decimals)
  }
}
