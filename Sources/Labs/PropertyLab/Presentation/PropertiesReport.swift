// SPDX-License-Identifier: GPL-3.0-or-later
package import PropertyTesting
package import Reporting

/// What testing several properties came to.
package struct PropertiesReport: Sendable {
  /// What each came to, in the order in which they were tested.
  package let results: [PropertyResult]
  private let settings: CheckSettings
  private let subject: String?
  private let wanted: Int

  /// The report of some results.
  ///
  /// - Parameters:
  ///   - results: what each property came to.
  ///   - settings: how much each was tested, and how.
  ///   - subject: the broken variant on trial; `nil` for the code that ships.
  ///   - wanted: how many were to be tested; more than there are results after an interruption.
  package init(results: [PropertyResult], settings: CheckSettings, subject: String?, wanted: Int) {
    (self.results, self.settings, self.subject, self.wanted) = (results, settings, subject, wanted)
  }

  /// What all of them come to, interruptions aside: one that fails weighs more than one that could not be judged.
  package var status: PropertyResult.Status {
    if !named(.fails).isEmpty { return .fails }
    return named(.broken).isEmpty ? .holds : .broken
  }

  /// One line: what holds, what fails, what could not be judged.
  package var verdict: String {
    let cases = NumberFormat.grouped(results.reduce(0) { $0 + $1.passed })
    let (fails, broken) = (named(.fails), named(.broken))
    var parts: [String] = []
    if !fails.isEmpty { parts.append("\(fails.count) of \(wanted) fail: \(fails.joined(separator: ", "))") }
    if !broken.isEmpty {
      parts.append("\(broken.count) of \(wanted) could not be judged: \(broken.joined(separator: ", "))")
    }
    if results.count < wanted { parts.append("\(wanted - results.count) of \(wanted) were not begun") }
    let head = !fails.isEmpty ? "FAILS" : !broken.isEmpty ? "BROKEN" : results.count < wanted ? "STOPPED" : "HOLDS"
    let kind = wanted == 1 ? "1 property" : "\(wanted) properties"
    return "\(head): \(parts.isEmpty ? kind : parts.joined(separator: "; ")), \(cases) cases passed."
  }

  /// The report in a format; `nil` for one that it does not have.
  package func rendered(as format: ReportFormat) -> String? {
    switch format {
    case .text: results.map { $0.text + "\n" }.joined() + verdict + "\n"
    case .markdown: markdown
    case .json: json.text
    case .junit: junit.text
    case .csv, .svg, .png: nil
    }
  }

  private func named(_ status: PropertyResult.Status) -> [String] {
    results.filter { $0.status == status }.map(\.chosen.property.id)
  }

  private var markdown: String {
    var table = Table([
      Table.Column("property"), Table.Column("what is claimed"), Table.Column("result"),
      Table.Column("cases", .right),
    ])
    for one in results {
      table.add([
        one.chosen.property.id, one.chosen.property.sentence, one.status.rawValue, NumberFormat.grouped(one.passed),
      ])
    }
    let details = results.filter { $0.status != .holds }.map { one in
      "\n## \(one.chosen.property.id)\n\n" + one.text.split(separator: "\n").map { "    \($0)\n" }.joined()
    }
    return table.markdown + details.joined() + "\n" + verdict + "\n"
  }

  private var json: JSONValue {
    [
      "status": .string(status.rawValue),
      "verdict": .string(verdict),
      "subject": subject.map(JSONValue.string) ?? .null,
      "cases": .integer(settings.cases),
      "seed": .unsigned(settings.seed),
      "generator": .string(settings.generator),
      "search": .string(settings.search.rawValue),
      "properties": .array(results.map(\.json)),
    ]
  }

  private var junit: JUnitReport {
    JUnitReport(name: "assay properties check", cases: results.map { $0.testCase() })
  }
}
