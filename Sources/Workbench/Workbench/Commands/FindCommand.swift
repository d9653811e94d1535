// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser
internal import Reporting
internal import Scenarios

/// The search for a parameter's value, for which every experiment has the keys `find` and `until`.
struct FindCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "find",
    abstract: "Finds the smallest or largest value of a parameter for which a threshold holds.",
    discussion: """
      Example: assay find \(ProgramParts.example.search) --until \(ProgramParts.example.until)

      The search tries both ends and three values between them, and then bisects until the answer is as precise \
      as required. The precision is PRECISION in key=LOW..HIGH:PRECISION, or else a thousandth of the range, or 1 for \
      whole numbers. A value that is undecided is tried again with more samples. The threshold's confidence is that of \
      the whole answer.
      """)

  @Argument(
    help: ArgumentHelp(
      "The kind, where there are several, then the parameter with two values. "
        + "Example: \(ProgramParts.example.search)",
      valueName: "kind key=low..high"))
  var words: [String]

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The threshold. Example: --until \(ProgramParts.example.until)", valueName: "threshold"))
  var until: String?

  @OptionGroup var others: OtherValues
  @OptionGroup(title: "Single samples") var single: SampleOptions
  @OptionGroup(title: "Thresholds and records") var keeping: KeepingOptions
  @OptionGroup(title: "Output") var destination: OutputOptions<FindFormats>

  func run() throws {
    try ParameterSearch(command: "find", words: words, values: "LOW..HIGH", goal: ("until", until), set: others.set)
      .run(ExperimentRun(keeping: keeping, single: single, destination: destination))
  }
}

/// The choice of the best value of a parameter, for which sampled experiments have the keys `best` and `by`.
struct FindBestCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "find-best",
    abstract: "Finds the best of several values of a parameter, by a measure of samples.",
    discussion: """
      Example: assay find-best \(ProgramParts.example.choice) --by \(ProgramParts.example.goal)

      All values draw the same random numbers. Those that are worse are left out early, and the others get more \
      samples, up to --set samples=COUNT. The confidence is that of the whole answer; where several values are left, \
      the exit code is 3.
      """)

  @Argument(
    help: ArgumentHelp(
      "The kind, where there are several, then the parameter with its values. "
        + "Example: \(ProgramParts.example.choice)",
      valueName: "kind key=a,b,c"))
  var words: [String]

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The measure, with min or max for the best, and a confidence. Example: --by \(ProgramParts.example.goal)",
      valueName: "goal"))
  var by: String?

  @OptionGroup var others: OtherValues
  @OptionGroup(title: "Single samples") var single: SampleOptions
  @OptionGroup(title: "Thresholds and records") var keeping: KeepingOptions
  @OptionGroup(title: "Output") var destination: OutputOptions<FindFormats>

  func run() throws {
    try ParameterSearch(
      command: "find-best", key: "best", words: words, values: "A,B,C", goal: ("by", by), set: others.set
    )
    .run(ExperimentRun(keeping: keeping, single: single, destination: destination))
  }
}

/// The values of the parameters that are not searched.
struct OtherValues: ParsableArguments {
  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "The value of another parameter; may be given several times. Example: --set random.seed=7", valueName: "key=value"
    ))
  var set: [String] = []
}

enum FindFormats: OutputFormats {
  static let formats = ReportFormat.tables + [.junit, .svg, .png]
}

/// A search as it is typed: the kind, a parameter with its values, the goal and the values of other parameters.
private struct ParameterSearch {
  let command: String
  /// The key of the parameter and its values.
  var key = "find"
  let words: [String]
  /// The form of the values, for the error.
  let values: String
  let goal: (key: String, text: String?)
  let set: [String]

  func run(_ run: ExperimentRun<FindFormats>) throws {
    let (kinds, declared) = (ProgramParts.current.experiments, ProgramParts.current.declared)
    let names = kinds.map { $0.kind }
    let parameters = words.filter { $0.contains("=") }
    guard let parameter = parameters.first, parameters.count == 1, words.last == parameter else {
      throw CommandError.badValue(
        option: command, found: words.joined(separator: " "), expected: "one key=\(values), after the kind if any")
    }
    let wanted = words.dropLast().joined(separator: ".")
    let own = "\(ProgramParts.current.name).\(wanted)"
    let kind =
      wanted.isEmpty && declared.count == 1
      ? declared[0].kind
      : names.contains(own) ? own : try ScenarioField(option: command, [wanted]).choice(among: names)
    var fields = try RunCommand.overrides(set)
    fields[key] = ScenarioField(option: command, [parameter])
    fields[goal.key] = goal.text.map { ScenarioField(option: "--\(goal.key)", [$0]) }
    for one in kinds where one.kind == kind { try start(one, fields, parameter, run) }
  }

  private func has<E: Experiment>(_ key: String, _ type: E.Type) -> Bool { E.parameters.contains { $0.key == key } }

  private func start<E: Experiment>(
    _ type: E.Type, _ fields: [String: ScenarioField], _ parameter: String, _ run: ExperimentRun<FindFormats>
  ) throws {
    let able = ProgramParts.current.experiments.filter { has(key, $0) }.map { $0.kind }
    guard able.contains(E.kind) else {
      throw CommandError.badValue(
        option: command, found: E.kind,
        expected: "a kind whose settings are compared sample by sample: \(able.joined(separator: ", "))")
    }
    try E.checkKeys(of: fields)
    var words = [command, E.kind, parameter]
    if let text = goal.text { words += ["--\(goal.key)", text] }
    for one in set { words += ["--set", one] }
    try run.run(E(fields, at: ScenarioField(option: E.kind, [])), command: command, words: words)
  }
}
