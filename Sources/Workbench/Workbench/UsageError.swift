// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser
internal import Foundation
internal import Reporting
internal import Scenarios

/// The parser's description of the command that was typed.
struct TypedCommand {
  /// The command's words, the program's name first.
  private(set) var path = [ProgramParts.current.name]
  /// The arguments after the command's words.
  private let arguments: ArraySlice<String>
  private let options: [Description.Argument]

  private struct Description: Decodable {
    let command: Command

    struct Command: Decodable {
      let commandName: String
      let subcommands: [Command]?
      let arguments: [Argument]?
    }

    struct Argument: Decodable {
      let kind: String
      let isRepeating: Bool
      let names: [Name]?

      /// The spellings on the command line: `--output`, `-o`.
      var spellings: [String] { (names ?? []).map { ($0.kind == "long" ? "--" : "-") + $0.name } }
    }

    struct Name: Decodable {
      let kind: String
      let name: String
    }
  }

  /// - Parameter typed: the command line, the program first.
  /// - Throws: if the parser's description has an unknown form.
  init(_ typed: [String]) throws {
    var command = try JSONDecoder().decode(Description.self, from: Data(RootCommand._dumpHelp().utf8)).command
    var rest = typed.dropFirst()
    while let word = rest.first, let next = command.subcommands?.first(where: { $0.commandName == word }) {
      command = next
      path.append(word)
      rest = rest.dropFirst()
    }
    arguments = rest.prefix { $0 != "--" }
    options = command.arguments ?? []
  }

  /// The error that an option with one value is given several times; `nil` if none is.
  var repeated: CommandError? {
    for option in options where option.kind == "option" && !option.isRepeating {
      let values = arguments.indices.compactMap { position -> String? in
        let word = arguments[position]
        if option.spellings.contains(word) { return position + 1 < arguments.endIndex ? arguments[position + 1] : "" }
        return option.spellings.first { word.hasPrefix($0 + "=") }.map { String(word.dropFirst($0.count + 1)) }
      }
      if values.count > 1 {
        return .refused(
          "\(option.spellings.max { $0.count < $1.count } ?? ""): found \(values.count) values, "
            + "\(values.map(Spelling.quoted).joined(separator: " and ")), expected one.")
      }
    }
    return nil
  }

  /// The known option nearest to an unknown one.
  func nearest(to option: String) -> String? {
    Spelling.nearest(to: option, among: options.flatMap(\.spellings).filter { $0.hasPrefix("--") } + ["--help"])
  }

  /// The option of an experiment that accepts a stray word, with the word: `--rules 8d-h17`.
  func option(taking word: String) -> String? {
    func option<E: Experiment>(of type: E.Type) -> String? {
      let taking = E.parameters.first { parameter in
        guard parameter.form == .option, parameter.complete != nil || !parameter.words.isEmpty else { return false }
        var experiment = E()
        return (try? parameter.read(&experiment, ScenarioField(option: parameter.spelling, [word]))) != nil
      }
      return taking.map { "\($0.spelling) \(word)" }
    }
    return experiment.flatMap { option(of: $0) }
  }

  /// The experiment that the command runs.
  private var experiment: (any Experiment.Type)? {
    let words = Array(path.dropFirst())
    return ProgramParts.current.experiments.first { ProgramParts.words(of: $0) == words }
  }

  /// The argument without an option for which the value of an unknown option is meant, as the next one of its
  /// experiment: `upcard is the second argument: blackjack hand T,6 T`.
  func argument(instead option: String) -> String? {
    guard let position = arguments.firstIndex(where: { $0 == option || $0.hasPrefix(option + "=") }) else { return nil }
    let isJoined = arguments[position] != option
    let value =
      isJoined ? arguments[position].dropFirst(option.count + 1) : arguments[(position + 1)...].prefix(1).joined()[...]
    guard !value.isEmpty, !value.hasPrefix("-") else { return nil }
    func argument<E: Experiment>(of type: E.Type) -> String? {
      let given = arguments.prefix { !$0.hasPrefix("-") }
      let next = E.parameters.filter { $0.form == .positional }.enumerated().dropFirst(given.count).first
      guard let (index, parameter) = next, position >= arguments.startIndex + given.count else { return nil }
      var experiment = E()
      guard (try? parameter.read(&experiment, ScenarioField(option: parameter.option, [String(value)]))) != nil,
        let ordinal = ["first", "second", "third"].dropFirst(index).first
      else { return nil }
      let words = path + given + [String(value)]
      return "\(parameter.option) is the \(ordinal) argument: '\(ShellLine.text(words))'."
    }
    return experiment.flatMap { argument(of: $0) }
  }
}

/// The error of an invalid command line, in one line with a suggestion.
enum UsageError {
  /// The error of an option's or an argument's type, which the parser has put in a sentence; `nil` for any other error.
  static func refusal(in error: any Error) -> CommandError? {
    RootCommand.message(for: error).firstMatch(
      of: /^The value '(?s:.*?)' is invalid for '(?:-[-\w]+ )?<[^>]+>': ((?:--|<)(?s:.*))/
    )
    .map { .refused(String($0.1)) }
  }

  /// The line for an error of the parser; `typed` begins with the program.
  static func line(for error: any Error, typed: [String]) -> String {
    if let hint = CommandHint.nearest(to: typed) { return hint }
    // The parser's own suggestion may be far from the typed word.
    var message = RootCommand.message(for: error)
    if let end = message.firstRange(of: ". Did you mean") { message = String(message[..<end.lowerBound]) }
    guard let command = try? TypedCommand(typed) else { return message }
    let word = message.firstMatch(of: /'([^']*)'/).map { String($0.1) } ?? ""
    let meant =
      message.hasPrefix("Unknown option")
      ? command.nearest(to: word)
      : message.hasPrefix("Unexpected argument") ? command.option(taking: word) : nil
    if message.hasPrefix("Unknown option"), command.nearest(to: word) == nil,
      let argument = command.argument(instead: word)
    {
      return "\(message); \(argument)"
    }
    let help = "'\(command.path.joined(separator: " ")) --help' shows the usage."
    return "\(message.hasSuffix(".") ? String(message.dropLast()) : message); "
      + (meant.map(Spelling.question) ?? help)
  }
}
