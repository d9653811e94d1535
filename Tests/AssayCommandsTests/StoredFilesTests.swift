// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import PropertyTestingHost
import Reporting
import Scenarios
import Statistics
import TestSupport
import Testing

@testable import Archive
@testable import Workbench

@Suite("What a run's folder holds")
struct StoredFilesTests {
  @Test("every measurement is read back unchanged from result.json and from the history")
  func roundTrip() async throws {
    let runs = try RecordedRuns()
    let (history, index) = (try runs.opened(), runs.folder.url.path)
    try await check(Gen.arrays(of: Self.measurement, count: 1...5), cases: 300) { measurements in
      let text = Self.document(measurements).text
      let read = try ResultDocument(json: JSONValue(parsing: text), file: "result.json")
      #expect(read.measurements == measurements)
      #expect(read.text == text)
      let number = try history.record(read, Self.record, folder: index)
      #expect(try history.findings(of: history.run(named: "\(number)")).measurements == measurements)
    }
  }

  @Test("two results can be shown, compared and followed in every format, for every kind of measurement")
  func everyFormat() async throws {
    let run = RecordedRun(Self.document([]), Self.record, folder: "runs")
    let pairs = Gen.arrays(of: zip(Self.measurement, Self.measurement), count: 1...3)
    let relations = Gen<MeasurementDifference.Relation>.elements(of: [.repeated, .independent, .unknown])
    try await check(pairs, relations, cases: 300) { pairs, relation in
      let measurements = pairs.map { (before: $0, after: Scenarios.Measurement($0.measure, $1.value)) }
      let before = Self.findings(measurements.map(\.before), seed: 1)
      let after = Self.findings(measurements.map(\.after), seed: relation == .independent ? 2 : 1)
      let other = relation == .repeated ? run : RecordedRun(Self.document([], digest: "1"), Self.record, folder: "runs")
      let comparison = RunComparison((run, before), (other, after), confidence: 0.99)
      #expect(comparison.relation == relation)
      try Self.export(ResultsReport.comparison(comparison))
      try Self.export(ResultsReport.show(run, after, confidence: 0.99))
      for (first, second) in measurements {
        let points = [first, second].map {
          MeasurementTrend.Point(run: run, measurement: $0, isNewExperiment: false)
        }
        let trend = MeasurementTrend(measure: first.measure, points: points)
        try Self.export(ResultsReport.trend(trend, of: "quick", confidence: 0.99))
        try Self.export(ResultsReport.trends([trend, trend], of: "quick", confidence: 0.99))
        let baseline = Baseline("earlier", [first], relation: relation)
        for margin in ["", " + 5%", " - 2"] {
          let threshold = try Threshold("x <= baseline\(margin) at 0.99")
          #expect(!threshold.evaluated(by: second, against: baseline).found.isEmpty)
        }
      }
    }
  }

  @Test("an edited or truncated file is refused, or shown, compared and followed in every format", arguments: [0, 1])
  func damaged(file: Int) async throws {
    let runs = try RecordedRuns()
    try runs.add(day: 3)
    let (history, root) = (try runs.opened(), runs.folder.url.path + "/Results/runs")
    let folder = RunFolder(root + "/quick-00c0ffee")
    let sound = try history.run(named: "latest")
    let (whole, run) = (Self.document(Self.everyForm), RunFile(latest: Self.record, previous: Self.record))
    let texts = [whole.text, run.json.text]
    try await check(Self.damage, cases: 200) { damage in
      for (number, name) in [RunFolder.Name.result, .run].enumerated() {
        let bytes = try number == file ? damage.done(to: texts[number]) : Data(texts[number].utf8)
        try bytes.write(to: URL(fileURLWithPath: folder.path(name)))
      }
      let stored = StoredRun(folder)
      #expect(!stored.summary.isEmpty)
      guard let document = stored.document, let record = stored.completed else { return }
      let number = try history.record(document, record, folder: folder.path)
      let run = try history.run(named: "\(number)")
      let findings = try history.findings(of: run)
      #expect(findings.measurements == document.measurements)
      try Self.export(ResultsReport.show(run, findings, confidence: 0.99))
      for pair in [(sound, run), (run, sound), (run, run)] {
        try Self.export(ResultsReport.comparison(history.comparison(of: pair.0, with: pair.1, confidence: 0.99)))
      }
      for measurement in findings.measurements {
        let trend = try #require(history.trends(of: measurement.measure.fullName, in: run.slug).first)
        try Self.export(ResultsReport.trend(trend, of: run.slug, confidence: 0.99))
      }
      try Self.export(ResultsReport.list(of: history.runs(), in: history.path))
      #expect(try RunsPage(of: history).html.contains("</html>"))
      let pruning = try history.pruning(keeping: 0, olderThan: nil, root: root)
      try Self.export(ResultsReport.pruning(pruning, isRehearsal: true))
      _ = try history.prune(Pruning(runs: [run], folders: []), root: root + "/elsewhere")
    }
  }
}

extension StoredFilesTests {
  /// Writes a report in every format that it has; its JSON is read back.
  private static func export(_ report: ResultsReport) throws {
    for format in ReportFormat.tables where format != .json {
      let text = report.document.rendered(as: format, width: 80, style: TerminalStyle(isColoured: false))
      #expect(text != nil)
    }
    #expect(throws: Never.self) { try JSONValue(parsing: report.json.text) }
  }

  private static func document(_ measurements: [Scenarios.Measurement], digest: String = "0") -> ResultDocument {
    ResultDocument(
      slug: "quick", name: "Quick", kind: "blackjack.play", digest: digest,
      thresholds: [
        EvaluatedThreshold(
          text: "x >= 0", measurement: "x", source: "the rule book", line: 0, verdict: .undecided, found: "0.43",
          advice: "about 300 more samples", errorProbability: 0.01)
      ], measurements: measurements, data: ["seed": .unsigned(.max)])
  }

  private static let record = RunRecord(
    status: .complete, started: Date(timeIntervalSince1970: 1_793_491_200),
    ended: Date(timeIntervalSince1970: 1_793_491_202), wallSeconds: 2.25, cpuSeconds: 4, assay: Version.current,
    gsl: "2.7.1", command: "assay run quick.yaml", workers: 2, process: 4711,
    machine: RunRecord.Machine(host: "anvil", system: "Debian 12", architecture: "x86_64", cores: 4),
    build: RunRecord.Build(binary: "aa"))

  private static func findings(_ measurements: [Scenarios.Measurement], seed: Int) -> RecordedRun.Findings {
    RecordedRun.Findings(measurements: measurements, thresholds: [], scenario: "kind: x\nseed: \(seed)\n")
  }

  private static let everyForm = [
    form("exact", .exact, .exact(.infinity)), form("count", .count, .count(41, undecided: 2)),
    form("proportion", .proportion, .proportion(successes: 43, trials: 100)),
    form("mean", .mean, .mean(-0.3, standardDeviation: 1.15, samples: 1_000_000)),
    form(
      "interval", .interval(confidence: 0.999),
      .interval(0.01, low: 0, high: .infinity, confidence: 0.999, samples: 12)),
  ]

  private static func form(
    _ name: String, _ kind: Measure.Kind, _ value: Scenarios.Measurement.Value
  ) -> Scenarios.Measurement {
    Scenarios.Measurement(Measure(name, of: "6d", meaning: "a figure", unit: "bets", kind: kind), value)
  }
}

extension StoredFilesTests {
  /// A measurement of any form, with any figures that it may have.
  private static var measurement: Gen<Scenarios.Measurement> {
    let figures = Gen<Double>.doubles(allowing: [.nan, .infinity])
    // Between the two, exact intervals of shares take seconds.
    let counts = Gen<Int>.oneOf(.integers(in: 0...100_000), .integers(in: 1 << 50 ... .max))
    let values = Gen<(Measure.Kind, Scenarios.Measurement.Value)>.oneOf(
      figures.map { (.exact, .exact($0)) },
      zip(Gen<Int>.integers(), counts).map { (.count, .count($0, undecided: $1)) },
      zip(counts, counts).map { (.proportion, .proportion(successes: min($0, $1), trials: max($0, $1))) },
      zip(figures, figures, counts).map { (.mean, .mean($0, standardDeviation: abs($1), samples: $2)) },
      zip(figures, figures, figures, Gen<Double>.doubles(in: 0...1), counts).map {
        value, one, other, confidence, count in
        let (low, high) = one > other ? (other, one) : (one, other)
        return (
          .interval(confidence: confidence),
          .interval(value, low: low, high: high, confidence: confidence, samples: count)
        )
      })
    let texts = Gen<String>.strings(count: 0...5)
    let evidence = Gen<Scenarios.Measurement.Evidence>.oneOf(
      zip(figures, figures).map {
        .shape(SampleShape(skewness: $0, farthestShare: $1, seen: 0...1))
      },
      zip(counts, Gen<Double>.doubles(in: 0...1)).map { .first(FirstObservations(count: $0, mean: $1, squares: $1)) })
    return zip(
      zip(values, Gen<Scenarios.Measurement.Evidence?>.optionals(of: evidence)), texts,
      Gen<String?>.optionals(of: texts), texts, texts
    ).map {
      found, name, label, meaning, unit in
      Scenarios.Measurement(
        Measure(name, of: label, meaning: meaning, unit: unit, kind: found.0.0), found.0.1,
        evidence: found.0.0 == .mean ? found.1 : nil)
    }
  }

  /// What becomes of a file: values replaced or left out, and bits turned.
  struct Damage: Sendable {
    let edits: [(index: Int, value: JSONValue?)]
    let flips: [(index: Int, bit: Int)]

    func done(to text: String) throws -> Data {
      let edited = try edits.reduce(JSONValue(parsing: text)) { document, edit in
        var index = edit.index
        return document.edited(at: &index, edit.value) ?? document
      }
      var bytes = Data(edited.text.utf8)
      for flip in flips where flip.index < bytes.count { bytes[flip.index] ^= 1 << UInt8(flip.bit) }
      return bytes
    }
  }

  private static var damage: Gen<Damage> {
    let others: [JSONValue?] = [
      nil, .null, .bool(true), 0, -1, 1, .integer(.max), .integer(.min), .unsigned(.max), .number(0.5), .number(-0.5),
      .number(1e308), .number(-1e308), .number(.leastNonzeroMagnitude), "", "Infinity", "-Infinity", "exact",
      "9999-12-31T23:59:59Z",
      "\u{1B}[2J\n::error::\u{0}", .array([]), .array([1, "x"]), .object([]), ["x": .null],
    ]
    let edits = zip(Gen<Int>.integers(in: 0...100), Gen<JSONValue?>.elements(of: others)).map { (index: $0, value: $1) }
    let flips = zip(Gen<Int>.integers(in: 0...2_000), Gen<Int>.integers(in: 0...7)).map { (index: $0, bit: $1) }
    return zip(Gen.arrays(of: edits, count: 0...3), Gen.arrays(of: flips, count: 0...1)).map {
      Damage(edits: $0, flips: $1)
    }
  }
}

extension JSONValue {
  /// The document with the value at a place replaced, or left out; places are counted from 0, the document's own.
  fileprivate func edited(at index: inout Int, _ other: JSONValue?) -> JSONValue? {
    index -= 1
    if index == -1 { return other }
    switch self {
    case .array(let values): return .array(values.compactMap { $0.edited(at: &index, other) })
    case .object(let members):
      return .object(
        members.compactMap { member in
          member.value.edited(at: &index, other).map { JSONMember(member.key, $0) }
        })
    default: return self
    }
  }
}
