// SPDX-License-Identifier: GPL-3.0-or-later
internal import GRDB
internal import Reporting
package import Scenarios

/// One measurement of a scenario, run by run.
package struct MeasurementTrend: Hashable, Sendable {
  /// What a run found.
  package struct Point: Hashable, Sendable {
    /// The run.
    package let run: RecordedRun
    /// What it measured.
    package let measurement: Measurement
    /// Whether the scenario differs from that of the point before: then the two are not the same experiment.
    package let isNewExperiment: Bool
  }

  /// What is measured, as the latest run says it.
  package let measure: Measure
  /// The runs that measured it, the oldest first.
  package let points: [Point]

  /// How many of the points are the first of another experiment.
  package var changes: Int { points.count(where: \.isNewExperiment) }
}

extension History {
  /// A measurement of a scenario, run by run.
  ///
  /// - Parameters:
  ///   - name: its full name, `ev[6d]`; the label may be left out where there is one only.
  ///   - slug: the scenario.
  ///   - last: at most so many runs, the latest; all where it is `nil`.
  /// - Returns: at least one point.
  /// - Throws: `ArchiveError.history`: where the scenario was never run, or never measured that, with the nearest name.
  package func trend(
    of name: String, in slug: String, last: Int? = nil
  ) throws(ArchiveError) -> MeasurementTrend {
    _ = try runs(of: slug, last: 1)
    return try read { database in
      let known = try Row.fetchAll(
        database,
        sql: """
          SELECT DISTINCT m.name, m.label FROM measurements AS m JOIN runs ON runs.id = m.run WHERE slug = ?
          ORDER BY m.name, m.label
          """, arguments: [slug]
      ).map { row in
        (name: try row.decode(String.self, forColumn: "name"), label: try row.decode(String?.self, forColumn: "label"))
      }
      let exact = known.first { Self.fullName($0) == name }
      let named = known.filter { $0.name == name }
      guard let found = exact ?? (named.count == 1 ? named.first : nil) else {
        let names = known.map(Self.fullName)
        throw HistoryProblem.Thrown(
          problem: .noSuchMeasurement(
            name, scenario: slug, nearest: named.isEmpty ? Spelling.nearest(to: name, among: names) : nil,
            known: named.isEmpty ? names : named.map(Self.fullName)))
      }
      let rows = try Row.fetchAll(
        database,
        sql: """
          SELECT m.* FROM measurements AS m JOIN runs ON runs.id = m.run
          WHERE slug = ? AND m.name = ? AND m.label IS ? ORDER BY started DESC, runs.id DESC LIMIT ?
          """, arguments: [slug, found.name, found.label, last ?? -1])
      return try trend(rows.reversed(), in: database)
    }
  }

  private func trend(_ rows: [Row], in database: Database) throws -> MeasurementTrend {
    var points: [MeasurementTrend.Point] = []
    for row in rows {
      let measurement = try MeasurementRow.measurement(of: row)
      let id = try row.decode(Int64.self, forColumn: "run")
      guard let found = try Row.fetchOne(database, sql: "SELECT * FROM runs WHERE id = ?", arguments: [id]) else {
        continue
      }
      let run = try run(found)
      points.append(
        MeasurementTrend.Point(
          run: run, measurement: measurement,
          isNewExperiment: points.last.map { $0.run.digest != run.digest } ?? false))
    }
    guard let last = points.last else { throw HistoryProblem.Thrown(problem: .empty) }
    return MeasurementTrend(measure: last.measurement.measure, points: points)
  }

  private static func fullName(_ measure: (name: String, label: String?)) -> String {
    measure.label.map { "\(measure.name)[\($0)]" } ?? measure.name
  }
}
