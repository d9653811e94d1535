// SPDX-License-Identifier: GPL-3.0-or-later
public import ArgumentParser
internal import Foundation
internal import MethodCalibration
internal import PropertyRuns
public import PropertyTesting
internal import Reporting
public import Scenarios
internal import Synchronization

/// A command-line program made of experiments.
///
///     @main struct Coffee: WorkbenchProgram {
///       static let experiments: [any Experiment.Type] = [Counter.self]
///     }
///
/// Every experiment is a command, a kind of scenarios and a page of the reference. The program also has the workbench's
/// own commands: `run`, `resume`, `merge`, `scenario`, `find`, `results`, `calibrate`, `new` and `doctor`, and if there
/// are properties `properties check`, `list`, `replay` and `mutants`.
public protocol WorkbenchProgram: SendableMetatype {
  /// The name of the program: its type's name in lower case unless given.
  static var name: String { get }
  /// The purpose of the program, in a sentence of its help.
  static var summary: String { get }
  /// The text of `--version`: the version of the workbench unless given.
  static var version: String { get }
  /// The experiments, in the order of the help. A kind that begins with the program's name is a command without a
  /// group, `coffee counter`; any other is a command in the group of its first word.
  static var experiments: [any Experiment.Type] { get }
  /// Commands that are no experiments.
  static var commands: [any ParsableCommand.Type] { get }
  /// Parts of the program, each with its word, in the order of the help.
  static var labs: [Lab] { get }
  /// The claims about the code under test, and the mutants that they have to catch.
  static var properties: [PropertyCatalogue] { get }
  /// Statistical methods that `calibrate` tests in addition to the workbench's own.
  static var methods: [CalibrationMethod] { get }
  /// The commands that people use most, without the program's name, and their purpose. They are shown if the program is
  /// started without arguments.
  static var firstSteps: [(words: String, purpose: String)] { get }
  /// The advice for an unknown command: for example which other program has it. `nil` suggests the nearest command.
  ///
  /// - Parameter words: the words after the program's name, up to the unknown one.
  /// - Returns: a line for people.
  static func hint(for words: String) -> String?
}

extension WorkbenchProgram {
  /// The name of the type in lower case.
  public static var name: String { "\(Self.self)".lowercased() }
  /// A sentence that fits any program.
  public static var summary: String { "Runs experiments, and evaluates their thresholds at a stated confidence." }
  /// The version of the workbench.
  public static var version: String { Version.current }
  /// None: those of its labs alone.
  public static var experiments: [any Experiment.Type] { [] }
  /// None.
  public static var commands: [any ParsableCommand.Type] { [] }
  /// None.
  public static var labs: [Lab] { [] }
  /// Those of its labs.
  public static var properties: [PropertyCatalogue] { labs.flatMap(\.properties) }
  /// None.
  public static var methods: [CalibrationMethod] { [] }
  /// Its first experiments, scenarios and earlier results.
  public static var firstSteps: [(words: String, purpose: String)] {
    experiments.prefix(3).map { (ProgramParts.words(of: $0, in: name).joined(separator: " "), $0.summary) } + [
      ("run Scenarios/", "runs all scenarios: verdicts, thresholds, reports"),
      ("results list", "lists the results of earlier runs"),
      ("doctor", "checks that this machine has what is needed"),
    ]
  }
  /// The nearest command.
  public static func hint(for words: String) -> String? { nil }

  /// Parses the process's arguments, runs the command, and ends the process with a documented exit code.
  public static func main() {
    let parts = ProgramParts(Self.self)
    parts.choose()
    let problems = parts.problems(for: Array(CommandLine.arguments.dropFirst()))
    guard problems.isEmpty else {
      for problem in problems { Console.say("error: \(problem)") }
      exit(ExitStatus.badInput.rawValue)
    }
    RootCommand.main()
  }
}

/// A part of a program whose commands share their first word: experiments about one subject, its properties, and its
/// other commands.
///
///     static let labs = [Lab("queue", "Queues of all kinds.", experiments: [Counter.self, Checkout.self])]
public struct Lab: Sendable {
  /// The first word of its commands and of its experiments' kinds.
  public let name: String
  let summary: String
  package let experiments: [any Experiment.Type]
  package let commands: [any ParsableCommand.Type]
  let properties: [PropertyCatalogue]

  /// A part of a program; it has at least one experiment.
  ///
  /// - Parameters:
  ///   - name: the first word of its commands and of its experiments' kinds, for example `live`.
  ///   - summary: its subject, in a sentence.
  ///   - experiments: its experiments, in the order of the help.
  ///   - commands: its other commands.
  ///   - properties: the claims about the code under test, with the mutants that they have to catch.
  public init(
    _ name: String, _ summary: String, experiments: [any Experiment.Type],
    commands: [any ParsableCommand.Type] = [], properties: [PropertyCatalogue] = []
  ) {
    (self.name, self.summary, self.commands, self.properties) = (name, summary, commands, properties)
    self.experiments = experiments.map { $0.runnable }
  }

  /// This part with more experiments and commands, for example those of another program that needs more libraries.
  public func adding(
    experiments more: [any Experiment.Type] = [], commands others: [any ParsableCommand.Type] = []
  ) -> Lab {
    Lab(name, summary, experiments: experiments + more, commands: commands + others, properties: properties)
  }
}

/// The parts of a program: the only list of its kinds and commands, set once when the process starts.
package struct ProgramParts: Sendable {
  let name: String
  let summary: String
  let version: String
  /// Its labs, then a group for every other first word of a kind.
  let labs: [Lab]
  /// Experiments that are commands without a group.
  let alone: [any Experiment.Type]
  let commands: [any ParsableCommand.Type]
  let catalogues: Catalogues
  let methods: [CalibrationMethod]
  let firstSteps: [(words: String, purpose: String)]
  let hint: @Sendable (_ words: String) -> String?

  package init<Program: WorkbenchProgram>(_ program: Program.Type) {
    (name, summary, version) = (Program.name, Program.summary, Program.version)
    let runnable = Program.experiments.map { $0.runnable }
    alone = runnable.filter { $0.kind.hasPrefix(Program.name + ".") }
    let others = Dictionary(grouping: runnable.filter { !$0.kind.hasPrefix(Program.name + ".") }) {
      String($0.kind.prefix { $0 != "." })
    }
    labs = Program.labs + others.sorted { $0.key < $1.key }.map { Lab($0.key, "", experiments: $0.value) }
    commands = Program.commands
    catalogues = Catalogues(Program.properties)
    (methods, firstSteps) = (StatedMethods.all + Program.methods, Program.firstSteps)
    hint = { Program.hint(for: $0) }
  }

  private static let chosen = Mutex<ProgramParts?>(nil)

  /// An empty program, for processes that are no workbench program, such as tests.
  private enum Assay: WorkbenchProgram {}

  /// The parts of this process's program.
  static var current: ProgramParts { chosen.withLock { $0 } ?? ProgramParts(Assay.self) }

  /// Makes these the parts of this process's program, before anything reads them.
  fileprivate func choose() { Self.chosen.withLock { $0 = self } }

  /// The problems of the declarations that a command needs, a sentence each, with the type and the row: of its
  /// experiment or of all, and of the properties if they are tested.
  ///
  /// - Parameter arguments: the command line after the program's name.
  /// - Returns: the problems; empty if the command can be run.
  package func problems(for arguments: [String]) -> [String] {
    let readsAny = ["run", "resume", "merge", "scenario", "find", "find-best", "doctor"].contains(arguments.first)
    let needed = declared.filter { readsAny || arguments.starts(with: Self.words(of: $0, in: name)) }
    let ofCatalogues = ["properties", "doctor"].contains(arguments.first) ? catalogues.problems : []
    return ofKinds + needed.flatMap { $0.problems() } + ofCatalogues
  }

  /// The program's own experiments, without those that every program has.
  var declared: [any Experiment.Type] { labs.flatMap(\.experiments) + alone }

  /// Examples for the help of every command, all of one of the program's own experiments, as one types them in a shell.
  struct Example {
    let kind, search, until, choice, goal, measure: String

    fileprivate init(_ parts: ProgramParts) {
      /// The first kind that has both keys, with the examples of their values.
      func example(_ key: String, _ goal: String) -> (words: String, goal: String, measure: String)? {
        func example<E: Experiment>(of type: E.Type) -> (String, String, String)? {
          let parameters = E.parameters
          guard let measure = E().measures.first?.fullName,
            let values = parameters.first(where: { $0.key == key })?.example,
            let text = parameters.first(where: { $0.key == goal })?.example
          else { return nil }
          return (ShellLine.text([E.kind, values]), ShellLine.text([text]), measure)
        }
        return parts.declared.lazy.compactMap { example(of: $0) }.first
      }
      let search = example("find", "until") ?? ("kind key=1..10", "'measure <= 5'", "measure")
      let best = example("best", "by") ?? ("kind key=1,2", "'min measure at 0.99'", "measure")
      kind = parts.declared.first?.kind ?? "kind"
      (self.search, until, measure) = (search.words, search.goal, ShellLine.text([search.measure]))
      (choice, goal) = (best.words, best.goal)
    }
  }

  /// The examples of this process's program, made once.
  static let example = Example(current)

  /// The problems of kinds and labs with equal names.
  private var ofKinds: [String] {
    let taken = Set(RootCommand.verbs.map { $0._commandName } + (Self.own.map { $0.command[0] }) + ["properties"])
    var (kinds, words) = (Set<String>(), Set<String>())
    let ofExperiments = declared.flatMap { experiment in
      let kind = experiment.kind
      let word = String(kind.prefix { $0 != "." })
      return
        (kinds.insert(kind).inserted ? [] : ["\(experiment.declaration): another experiment has the kind '\(kind)'."])
        + (taken.contains(word)
          ? ["\(experiment.declaration): the kind '\(kind)' begins with a command of every program."] : [])
    }
    let ofLabs = labs.flatMap { lab in
      (words.insert(lab.name).inserted ? [] : ["Lab '\(lab.name)': another lab has the name."])
        + (lab.experiments.isEmpty ? ["Lab '\(lab.name)': it has no experiment."] : [])
        + lab.experiments.filter { $0.command.first != lab.name }.map {
          "\($0.declaration): the kind '\($0.kind)' does not begin with the name of its lab, '\(lab.name)'."
        }
    }
    return ofExperiments + ofLabs
  }

  /// Experiments of every program that are commands without a group.
  private static let own: [any Experiment.Type] = [Calibration<ProgramMethods>.runnable]

  /// The commands about properties, if there are any properties.
  private var properties: [Lab] {
    guard !catalogues.all.isEmpty else { return [] }
    return [
      Lab(
        "properties", "Tests properties of the code under test on random cases.",
        experiments: PropertyExperiments<ProgramProperties>.all,
        commands: [
          PropertiesListCommand.self, PropertiesSampleCommand.self, PropertiesReplayCommand.self,
          PropertiesWorkerCommand.self,
        ])
    ]
  }

  package var groups: [Lab] { labs + properties }

  package var experiments: [any Experiment.Type] { groups.flatMap(\.experiments) + alone + Self.own }

  var references: [KindReference] { experiments.map { KindReference($0) } }

  var subcommands: [any ParsableCommand.Type] {
    groups.compactMap { group in group.experiments.first.map { Self.group(of: $0) } }
      + (alone + Self.own).map { Self.command(of: $0) } + commands
  }

  /// The words of an experiment's command after the program's name, with which a kind without a group begins.
  static func words(of type: any Experiment.Type, in program: String = current.name) -> [String] {
    type.kind.hasPrefix(program + ".") ? Array(type.command.dropFirst()) : type.command
  }

  fileprivate static func command<E: Experiment>(of type: E.Type) -> any ParsableCommand.Type {
    ExperimentCommand<E>.self
  }

  private static func group<E: Experiment>(of first: E.Type) -> any ParsableCommand.Type { GroupCommand<E>.self }
}

/// The command of the group that begins with an experiment.
private struct GroupCommand<First: Experiment>: ParsableCommand {
  static var configuration: CommandConfiguration {
    guard let group = ProgramParts.current.groups.first(where: { $0.experiments.first?.kind == First.kind }) else {
      return CommandConfiguration()
    }
    return CommandConfiguration(
      commandName: group.name, abstract: group.summary,
      subcommands: group.experiments.map { ProgramParts.command(of: $0) } + group.commands)
  }
}

/// The properties of this process's program, evaluated in processes of their own.
enum ProgramProperties: PropertySource {
  static let catalogues = ProgramParts.current.catalogues

  /// The form of a failing case, of the first property.
  static var exampleToken: String { "\(catalogues.all.first?.properties.first?.id ?? "ID"):1:BAEBAAMCAAABCAAACQgACf_I" }

  static var worker: [String]? {
    [Bundle.main.executablePath ?? CommandLine.arguments.first ?? "assay", "properties", "worker"]
  }
}

/// The statistical methods of this process's program.
private enum ProgramMethods: CalibrationSource {
  static let methods = ProgramParts.current.methods
}
