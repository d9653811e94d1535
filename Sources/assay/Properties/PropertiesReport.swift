// SPDX-License-Identifier: GPL-3.0-or-later
internal import PropertyTesting
internal import Reporting

/// What testing several properties came to.
struct PropertiesReport {
  let results: [PropertyResult]
  let settings: CheckSettings
  let subject: String?
  /// How many were to be tested; more than there are results after an interruption.
  let wanted: Int

  /// How the process ends, interruptions aside.
  var status: ExitStatus {
    if !named(.fails).isEmpty { return .failed }
    return named(.broken).isEmpty ? .holds : .badInput
  }

  /// One line: what holds, what fails, what could not be judged.
  var verdict: String {
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

  func rendered(as format: ReportFormat) -> String? {
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
      "status": .string(status == .holds ? "holds" : status == .failed ? "fails" : "broken"),
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
    JUnitReport(
      name: "assay properties check",
      cases: results.map { one in
        let outcome: JUnitReport.Outcome =
          switch one.status {
          case .holds: .passed
          case .fails: .failed(message: one.summary, details: one.text)
          case .broken: .broken(message: one.summary, details: one.text)
          }
        return JUnitReport.Case(
          name: "\(one.chosen.property.id): \(one.chosen.property.sentence)", group: one.chosen.core,
          outcome: outcome, output: one.remarks.joined(separator: "\n"))
      })
  }
}
