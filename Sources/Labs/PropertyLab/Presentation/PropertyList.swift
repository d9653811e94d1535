// SPDX-License-Identifier: GPL-3.0-or-later
internal import PropertyTesting
package import Reporting

/// The properties and the broken subjects as tables.
package struct PropertyList {
  private let chosen: [Catalogues.Chosen]
  private let subjects: [(core: String, subject: Mutant)]

  /// Lists properties, and the broken subjects of the cores that they are about.
  ///
  /// - Parameters:
  ///   - chosen: the properties.
  ///   - catalogues: where the broken subjects stand.
  package init(_ chosen: [Catalogues.Chosen], subjectsOf catalogues: Catalogues) {
    self.chosen = chosen
    let cores = chosen.map(\.core)
    subjects = catalogues.all.filter { cores.contains($0.core) }.flatMap { one in
      one.mutants.map { (one.core, $0) }
    }
  }

  /// The tables in a format; `nil` for one that they do not have.
  package func rendered(as format: ReportFormat) -> String? {
    switch format {
    case .text: sections(\.text) { $0 + ":\n\n" }
    case .markdown: sections(\.markdown) { "## \($0)\n\n" }
    case .csv: properties.csv
    case .json: json.text
    case .svg, .png, .junit: nil
    }
  }

  private var properties: Table {
    var table = Table([Table.Column("id"), Table.Column("what is claimed"), Table.Column("source")])
    for one in chosen { table.add([one.property.id, one.property.sentence, one.property.reference]) }
    return table
  }

  private var faults: Table {
    var table = Table([Table.Column("broken subject"), Table.Column("core"), Table.Column("fault")])
    for (core, subject) in subjects { table.add([subject.name, core, subject.fault]) }
    return table
  }

  private func sections(_ render: (Table) -> String, title: (String) -> String) -> String {
    let claims = title("Properties") + render(properties)
    return subjects.isEmpty ? claims : claims + "\n" + title("Broken subjects") + render(faults)
  }

  private var json: JSONValue {
    [
      "properties": .array(
        chosen.map { one in
          [
            "id": .string(one.property.id), "core": .string(one.core), "sentence": .string(one.property.sentence),
            "reference": .string(one.property.reference),
          ]
        }),
      "subjects": .array(
        subjects.map { one in
          ["name": .string(one.subject.name), "core": .string(one.core), "fault": .string(one.subject.fault)]
        }),
    ]
  }
}
