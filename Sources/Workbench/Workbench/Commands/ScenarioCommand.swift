// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser
internal import Foundation
internal import Reporting
internal import Scenarios

/// The commands about scenario files that run nothing.
struct ScenarioCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "scenario",
    abstract: "Describes, creates and checks scenario files.",
    subcommands: [Kinds.self, Keys.self, New.self, Check.self, Schema.self])

  /// The argument that names a kind.
  struct KindArgument: ParsableArguments {
    @Argument("kind", .kind, "The kind. Example: \(ProgramParts.example.kind)") var reference: KindReference
  }

  struct Kinds: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Lists the kinds of scenarios.")
    @OptionGroup var destination: OutputOptions<TableFormats>

    func run() throws {
      let plan = try destination.plan(for: "scenario kinds")
      let rows = ProgramParts.current.references.map { one -> JSONValue in
        ["kind": .string(one.kind), "command": .string("assay \(one.command)"), "summary": .string(one.summary)]
      }
      let table = Table(
        columns: ["kind", "command", "what it does"],
        rows: ProgramParts.current.references.map { [$0.kind, "assay \($0.command)", $0.summary] })
      let document = Document(
        id: "kinds", title: "Kinds of scenarios", [.table(table)], data: Table(records: rows))
      try plan.write(document, json: ["kinds": .array(rows)])
    }
  }

  struct Keys: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Lists the keys of a kind, and the measures that its thresholds can ask for.")
    @OptionGroup var argument: KindArgument
    @OptionGroup var destination: OutputOptions<TableFormats>

    func run() throws {
      try destination.plan(for: "scenario keys").write(argument.reference.document, json: argument.reference.json)
    }
  }

  struct New: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Prints a commented scenario with every default, ready to run.",
      discussion: "Example: assay scenario new \(ProgramParts.example.kind) --output mine.yaml")
    @OptionGroup var argument: KindArgument
    @OptionGroup var destination: FileOptions

    func run() throws { try destination.write { argument.reference.template } }
  }

  struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Reads scenario files as 'assay run' does, reports every error, and runs nothing.")
    @Argument(
      help: "Scenario files, or folders of them. Example: mine.yaml", completion: .file(extensions: ["yaml", "yml"]))
    var files: [String]

    func run() throws {
      for scenario in try ScenarioFiles(ScenarioFiles.named(by: files), kinds: ProgramParts.current.experiments)
        .scenarios
      {
        let thresholds = NumberFormat.counted(scenario.thresholds.count, "threshold")
        try Console.write("\(TerminalText.harmless(scenario.file)): \(scenario.kind), \(thresholds), valid\n")
      }
    }
  }

  struct Schema: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Prints the JSON Schema of scenario files, for editors.",
      discussion: """
        Example: assay scenario schema > scenarios.schema.json

        Editors with the YAML language server complete and check a file that begins with
        # yaml-language-server: $schema=scenarios.schema.json
        """)
    @Argument("kind", .kind, "Only this kind. Example: \(ProgramParts.example.kind)") var kind: KindReference?

    func run() throws {
      try Console.write(Self.schema(of: kind.map { [$0] } ?? ProgramParts.current.references).text)
    }

    private static func schema(of kinds: [KindReference]) -> JSONValue {
      let cases = kinds.map { one -> JSONValue in
        ["if": ["properties": ["kind": ["const": .string(one.kind)]]], "then": one.schema]
      }
      return [
        "$schema": "http://json-schema.org/draft-07/schema#", "title": "A scenario of Assay",
        "type": "object", "required": .array(["name", "kind"]),
        "properties": ["kind": ["enum": .array(kinds.map { .string($0.kind) })]], "allOf": .array(cases),
      ]
    }
  }
}

extension ValueType where Value == KindReference {
  /// A kind of the program, by its name.
  fileprivate static var kind: Self {
    let known = ProgramParts.current.references
    return ValueType<String>.choice(known.map(\.kind)).map { name in
      known.first { $0.kind == name }
    } back: {
      $0.kind
    }
  }
}
