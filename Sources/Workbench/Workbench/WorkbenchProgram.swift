// SPDX-License-Identifier: GPL-3.0-or-later
public import ArgumentParser
internal import Foundation
internal import Reporting
public import Scenarios
internal import Synchronization

/// A command-line program made of experiments.
///
///     @main struct Coffee: WorkbenchProgram {
///       static let experiments: [any Experiment.Type] = [Counter.self]
///     }
///
/// Every experiment is a command, a kind of scenarios and a page of the reference. The program has the workbench's own
/// commands besides: `run`, `resume`, `merge`, `scenario`, `results` and `doctor`.
public protocol WorkbenchProgram: SendableMetatype {
  /// What the program is called: its type's name in lower case unless stated.
  static var name: String { get }
  /// What it is for, in a sentence of its help.
  static var summary: String { get }
  /// What `--version` prints: the version of the workbench unless stated.
  static var version: String { get }
  /// The experiments, in the order of the help. A kind that begins with the program's name is the command behind the
  /// point, `coffee counter`; any other is a command in the group that its first word names.
  static var experiments: [any Experiment.Type] { get }
  /// Commands that are no experiments.
  static var commands: [any ParsableCommand.Type] { get }
}

extension WorkbenchProgram {
  /// The name of the type in lower case.
  public static var name: String { "\(Self.self)".lowercased() }
  /// A sentence that fits any program.
  public static var summary: String { "Runs experiments, and states with a confidence whether what is asked holds." }
  /// The version of the workbench.
  public static var version: String { Version.current }
  /// None.
  public static var commands: [any ParsableCommand.Type] { [] }

  /// Parses the process's arguments, runs what they ask for, and ends the process with a documented exit code.
  public static func main() {
    let runnable = experiments.map { $0.runnable }
    let problems = ProgramParts.problems(of: runnable)
    guard problems.isEmpty else {
      for problem in problems { Console.say("error: \(problem)") }
      exit(ExitStatus.badInput.rawValue)
    }
    let own = runnable.filter { $0.kind.hasPrefix(name + ".") }
    let others = Dictionary(grouping: runnable.filter { !$0.kind.hasPrefix(name + ".") }) {
      String($0.kind.prefix { $0 != "." })
    }
    ProgramParts(
      name: name, summary: summary, version: version,
      groups: others.sorted { $0.key < $1.key }.map { CommandGroup($0.key, "", $0.value) },
      experiments: own, commands: commands,
      firstSteps: own.prefix(3).map { ("\($0.kind.dropFirst(name.count + 1))", $0.summary) } + [
        ("run Scenarios/", "runs all scenarios: verdicts, thresholds, reports"),
        ("results list", "the results of earlier runs"),
        ("doctor", "whether this machine has what is needed"),
      ]
    ).run()
  }
}

/// Experiments whose commands stand behind one word, and commands that are none.
package struct CommandGroup: Sendable {
  let name: String
  let summary: String
  let experiments: [any Experiment.Type]
  let commands: [any ParsableCommand.Type]

  init(_ name: String, _ summary: String, _ experiments: [any Experiment.Type]) {
    (self.name, self.summary, self.experiments, commands) = (name, summary, experiments, [])
  }

  /// A lab with what a program adds to it.
  package init(
    _ lab: any Lab.Type, adding experiments: [any Experiment.Type] = [],
    commands: [any ParsableCommand.Type] = []
  ) {
    (name, summary, self.commands) = (lab.name, lab.summary, commands)
    self.experiments = (lab.experiments + experiments).map { $0.runnable }
  }
}

/// What a program is made of: the only list of its kinds and commands, set once when the process starts.
package struct ProgramParts: Sendable {
  let name: String
  let summary: String
  let version: String
  let groups: [CommandGroup]
  /// Experiments that are commands without a group.
  let alone: [any Experiment.Type]
  let others: [any ParsableCommand.Type]
  /// What one does most, as it is typed behind the program's name, with what it is for.
  let firstSteps: [(words: String, purpose: String)]
  /// Where a command of another program is typed: its words, and what to say.
  let elsewhere: [String: String]

  package init(
    name: String, summary: String, version: String, groups: [CommandGroup], experiments: [any Experiment.Type],
    commands: [any ParsableCommand.Type] = [], firstSteps: [(words: String, purpose: String)],
    elsewhere: [String: String] = [:]
  ) {
    (self.name, self.summary, self.version, self.groups) = (name, summary, version, groups)
    (alone, others, self.firstSteps, self.elsewhere) = (experiments, commands, firstSteps, elsewhere)
  }

  private static let chosen = Mutex<ProgramParts?>(nil)

  /// Those of this process; of a process that is no such program, such as a test, none.
  static var current: ProgramParts {
    chosen.withLock { $0 }
      ?? ProgramParts(name: "assay", summary: "", version: Version.current, groups: [], experiments: [], firstSteps: [])
  }

  /// Makes the process this program, and ends it with a documented exit code.
  package func run() {
    Self.chosen.withLock { $0 = self }
    RootCommand.main()
  }

  /// What is wrong with a program's list of experiments, or with one of them.
  static func problems(of experiments: [any Experiment.Type]) -> [String] {
    let taken = Set(RootCommand.verbs.map { $0._commandName })
    var kinds: Set<String> = []
    return experiments.flatMap { experiment in
      let kind = experiment.kind
      let word = String(kind.prefix { $0 != "." })
      return (kinds.insert(kind).inserted ? [] : ["\(experiment): another experiment has the kind '\(kind)'."])
        + (taken.contains(word) ? ["\(experiment): the kind '\(kind)' begins with a command of every program."] : [])
        + experiment.problems()
    }
  }

  var experiments: [any Experiment.Type] { groups.flatMap(\.experiments) + alone }

  /// What there is to say about each kind.
  var references: [KindReference] { experiments.map { KindReference($0) } }

  var subcommands: [any ParsableCommand.Type] {
    groups.compactMap { group in group.experiments.first.map { Self.group(of: $0) } }
      + alone.map { Self.command(of: $0) } + others
  }

  /// The words of an experiment's command, behind the program's name, which a kind of its own begins with.
  static func words<E: Experiment>(of type: E.Type) -> [String] {
    E.kind.hasPrefix(current.name + ".") ? Array(E.command.dropFirst()) : E.command
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
