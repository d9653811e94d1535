// SPDX-License-Identifier: GPL-3.0-or-later
internal import Reporting

/// What the doctor found.
struct DoctorReport {
  let findings: [Finding]

  /// What is needed and is not as it should be.
  var missing: [Finding] { findings.filter { $0.state == .missing } }

  /// One line.
  var verdict: String {
    let optional = findings.count { $0.state == .optional }
    let rest = optional == 0 ? "" : " \(optional) optional \(optional == 1 ? "thing is" : "things are") not there."
    return missing.isEmpty
      ? "All that is needed is there.\(rest)"
      : "To be mended: \(missing.map(\.name).joined(separator: ", ")).\(rest)"
  }

  func rendered(as format: ReportFormat) -> String? {
    switch format {
    case .text: table.text + cures + "\n" + verdict + "\n"
    case .json: json.text
    default: nil
    }
  }

  private var table: Table {
    var table = Table(["what", "state", "found"].map { Table.Column($0) })
    for one in findings { table.add([one.name, one.state.rawValue, one.found]) }
    return table
  }

  private var cures: String {
    let lines = findings.filter { !$0.cure.isEmpty }.map { "to mend \($0.name): \($0.cure)\n" }
    return lines.isEmpty ? "" : "\n" + lines.joined()
  }

  private var json: JSONValue {
    [
      "healthy": .bool(missing.isEmpty),
      "findings": .array(
        findings.map { one in
          [
            "name": .string(one.name), "state": .string(one.state.rawValue), "found": .string(one.found),
            "cure": .string(one.cure),
          ]
        }),
    ]
  }
}
