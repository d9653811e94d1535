// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser
internal import Reporting
internal import Scenarios

/// The search for a parameter's value, for which every experiment has the keys `find` and `until`.
struct FindCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "find",
    abstract: "Finds the least or the largest value of a parameter for which a threshold holds.",
    discussion: """
      Example: assay find \(ProgramParts.example.search) --until \(ProgramParts.example.until)

      The search tries both ends and three values between them, and then bisects until it knows the answer to the \
      precision. That is PRECISION in key=LOW..HIGH:PRECISION, or else a thousandth of the range, or 1 for whole \
      numbers. A value that is undecided is tried again with more samples. The threshold's confidence is that of the \
      whole answer.
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

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "The value of another parameter; may be given several times. Example: --set random.seed=7", valueName: "key=value"
    ))
  var set: [String] = []

  @OptionGroup(title: "Single samples") var single: SampleOptions
  @OptionGroup(title: "Thresholds and records") var keeping: KeepingOptions
  @OptionGroup(title: "Output") var destination: OutputOptions<FindFormats>

  func run() throws {
    let (kinds, declared) = (ProgramParts.current.experiments, ProgramParts.current.declared)
    let names = kinds.map { $0.kind }
    let ranges = words.filter { $0.contains("=") }
    guard let range = ranges.first, ranges.count == 1, words.last == range else {
      throw CommandError.badValue(
        option: "find", found: words.joined(separator: " "), expected: "one key=LOW..HIGH, after the kind if any")
    }
    let wanted = words.dropLast().joined(separator: ".")
    let own = "\(ProgramParts.current.name).\(wanted)"
    let kind =
      wanted.isEmpty && declared.count == 1
      ? declared[0].kind
      : names.contains(own) ? own : try ScenarioField(option: "find", [wanted]).choice(among: names)
    var fields = try RunCommand.overrides(set)
    fields["find"] = ScenarioField(option: "find", [range])
    fields["until"] = until.map { ScenarioField(option: "--until", [$0]) }
    for one in kinds where one.kind == kind { try run(one, fields, range) }
  }

  private func run<E: Experiment>(_ type: E.Type, _ fields: [String: ScenarioField], _ range: String) throws {
    try E.checkKeys(of: fields)
    var words = ["find", E.kind, range]
    if let until { words += ["--until", until] }
    for one in set { words += ["--set", one] }
    try ExperimentRun(keeping: keeping, single: single, destination: destination).run(
      E(fields, at: ScenarioField(option: E.kind, [])), command: "find", words: words)
  }

  enum FindFormats: OutputFormats {
    static let formats = ReportFormat.tables + [.junit, .svg, .png]
  }
}
