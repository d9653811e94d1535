// SPDX-License-Identifier: GPL-3.0-or-later
internal import Reporting
internal import Scenarios

/// The reference of a parameter: in the help of the command, in the reference of the kind, in a new scenario.
struct ParameterReference: Sendable {
  let key: String
  let spelling: String
  let meaning: String
  let expected: String
  /// The accepted values with all words, where completion cannot offer them; over 100 words are left to a list.
  let choices: String
  /// The default as in a file; empty if there is none.
  let `default`: String
  let example: String
  let isRequired: Bool
  private let isFlag: Bool
  /// True if the words of the example are one value.
  private let isOneValue: Bool
  let schema: JSONValue

  init<E: Experiment>(_ parameter: Parameter<E>) {
    (key, spelling, schema) = (parameter.key, parameter.spelling, parameter.schema)
    meaning = parameter.meaning.hasSuffix(".") ? String(parameter.meaning.dropLast()) : parameter.meaning
    (example, isRequired, isFlag) = (parameter.example, parameter.isRequired, parameter.form == .flag)
    var scratch = E()
    let words = parameter.example.split(separator: " ").map(String.init)
    isOneValue =
      words.count > 1 && (try? parameter.read(&scratch, ScenarioField(option: parameter.option, words))) == nil
    // A list of sixty generators is too long for the help.
    expected =
      parameter.words.count > 12
      ? "one of \(parameter.words.count) names, all offered by completion" : parameter.expected
    choices =
      (13...100).contains(parameter.words.count)
      ? "one of \(parameter.words.joined(separator: ", "))" : parameter.expected
    `default` = isRequired ? "" : parameter.write(E()).map(\.yamlInline) ?? ""
  }

  /// One paragraph for the command's help.
  var help: String {
    if isFlag { return "\(meaning)." }
    let remark = isRequired || `default`.isEmpty ? "" : " (default: \(`default`))"
    let sentence = "\(meaning)\(remark): \(expected)."
    let option = spelling.hasPrefix("--") ? "\(spelling) " : ""
    return example.isEmpty && option.isEmpty ? sentence : "\(sentence) Example: \(option)\(typed)"
  }

  /// The example as one types it: what a shell would read is in quotes, as the example of a file may be already.
  private var typed: String {
    let isQuoted = ["'", "\""].contains { example.hasPrefix($0) && example.hasSuffix($0) }
    return isQuoted || !isOneValue && !example.contains(where: { "<>&|;*?$()`!#~".contains($0) })
      ? example : ShellLine.text([example])
  }
}

/// The reference of a kind of scenarios, made from the experiment's declaration alone.
struct KindReference: Sendable {
  let kind: String
  /// The command without the program's name.
  let command: String
  let summary: String
  let parameters: [ParameterReference]
  /// The measures with every parameter at its default; labels follow the parameters.
  let measures: [Measure]
  let defaultThresholds: [String]

  init<E: Experiment>(_ type: E.Type) {
    (kind, command, summary) = (E.kind, ProgramParts.words(of: E.self).joined(separator: " "), E.summary)
    parameters = E.parameters.map { ParameterReference($0) }
    (measures, defaultThresholds) = (E().measures, E.defaultThresholds)
  }

  /// Every key with its meaning, type, default and example; then the measures for thresholds.
  var document: Document {
    let name = ["name", "", "The quiet server", "The name of the scenario: any text; required"]
    let keys = Table(
      columns: ["key", "default", "example", "what it is"],
      rows: [name]
        + parameters.map { one in
          [one.key, one.isRequired ? "required" : one.default, one.example, "\(one.meaning): \(one.expected)"]
        })
    var seen: Set<String> = []
    let names = Table(
      columns: ["measure", "unit", "what it is"],
      rows: measures.filter { seen.insert($0.name).inserted }.map { measure in
        [measure.fullName, measure.unit, "\(measure.meaning) (\(measure.kind.word))"]
      })
    return Document(
      id: "keys", title: "\(kind): \(summary)",
      [
        .part("Keys", [.table(keys)]),
        .part(
          "Measures for thresholds",
          [
            .paragraph(
              "A label in brackets is one of several; a threshold without a label applies to all of them. Sampled "
                + "measures need a confidence: '>= 95% at 0.99'."),
            .table(names),
          ]),
      ], data: Table(records: rows))
  }

  private var rows: [JSONValue] {
    parameters.map { one in
      [
        "key": .string(one.key), "option": .string(one.spelling), "isRequired": .bool(one.isRequired),
        "default": .string(one.default), "example": .string(one.example), "meaning": .string(one.meaning),
        "expected": .string(one.expected),
      ]
    }
  }

  var json: JSONValue {
    [
      "kind": .string(kind), "summary": .string(summary), "keys": .array(rows),
      "measures": .array(
        measures.map { one in
          [
            "measure": .string(one.fullName), "unit": .string(one.unit), "meaning": .string(one.meaning),
            "kind": .string(one.kind.word),
          ]
        }),
    ]
  }

  /// A scenario that runs: every key with its default, and its meaning above it.
  var template: String {
    var lines = ["# \(summary)", "name: \(command.prefix(1).uppercased() + command.dropFirst())", "kind: \(kind)"]
    var group = ""
    for one in parameters {
      let parts = one.key.split(separator: ".").map(String.init)
      let head = parts.dropLast().joined(separator: ".")
      let margin = String(repeating: "  ", count: parts.count - 1)
      if head != group, !head.isEmpty { lines.append("\(head):") }
      group = head
      lines += TerminalText.lines(of: "\(one.meaning): \(one.choices).", width: 100).map { "\(margin)# \($0)" }
      let value = one.default.isEmpty ? one.example : one.default
      let isLeftOut = one.default.isEmpty && !one.isRequired
      lines.append("\(margin)\(isLeftOut ? "# " : "")\(parts[parts.count - 1]): \(value)")
    }
    lines += ["# The thresholds. 'assay scenario keys \(kind)' lists the measures."]
    lines += defaultThresholds.isEmpty ? example : ["thresholds:"] + defaultThresholds.map { "  - \($0)" }
    return lines.joined(separator: "\n") + "\n"
  }

  private var example: [String] {
    guard let measure = measures.first else { return [] }
    let confidence = measure.kind == .exact || measure.kind == .count ? "" : " at 0.99"
    return ["# thresholds:", "#   - \(measure.fullName) >= 0\(confidence)"]
  }

  var schema: JSONValue {
    let common: [Key] = [
      ("name", (["type": "string", "description": "The name of the scenario."], true)),
      ("kind", (["const": .string(kind), "description": .string(summary)], true)),
      ("thresholds", (Self.thresholds, false)),
    ]
    return Self.object(common + parameters.map { ($0.key, (Self.described($0), $0.isRequired)) })
  }

  private static func described(_ one: ParameterReference) -> JSONValue {
    guard case .object(let members) = one.schema else { return one.schema }
    let more = one.default.isEmpty ? "" : " Default: \(one.default)."
    return .object(members + [JSONMember("description", .string("\(one.meaning): \(one.expected).\(more)"))])
  }

  private typealias Key = (key: String, value: (schema: JSONValue, isRequired: Bool))

  private static func object(_ keys: [Key]) -> JSONValue {
    let groups = KeyGroup.all(of: keys)
    return [
      "type": "object", "additionalProperties": .bool(false),
      "required": .array(groups.filter { $0.value?.isRequired == true }.map { .string($0.head) }),
      "properties": .object(groups.map { JSONMember($0.head, $0.value?.schema ?? object($0.members)) }),
    ]
  }

  private static let thresholds: JSONValue = [
    "type": "array", "minItems": 1, "description": "The thresholds, for example 'rush <= 5% at 0.99'.",
    "items": [
      "anyOf": .array([
        ["type": "string"],
        [
          "type": "object", "additionalProperties": .bool(false), "required": .array(["threshold"]),
          "properties": ["threshold": ["type": "string"], "source": ["type": "string"]],
        ],
      ])
    ],
  ]
}

extension Measure.Kind {
  fileprivate var word: String {
    switch self {
    case .exact: "computed"
    case .count: "counted"
    case .proportion, .mean: "sampled"
    case .interval(let confidence): "an interval at \(NumberFormat.shortest(confidence))"
    }
  }
}
