// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser
internal import Reporting
internal import Scenarios

/// An experiment's parameters as options of a command. ArgumentParser finds options by a mirror over the structure that
/// declares them; here the mirror is made from the experiment's own list, so that nothing is declared a second time.
struct ParameterOptions<E: Experiment>: ParsableArguments, CustomReflectable {
  /// The texts typed, by the parameter's key.
  private(set) var typed: [String: [String]] = [:]

  init() {}

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    for parameter in E.parameters {
      let key = Key(stringValue: parameter.key)
      switch (parameter.form, parameter.isList) {
      case (.flag, _):
        if try container.decode(Flag<Bool>.self, forKey: key).wrappedValue { typed[parameter.key] = ["true"] }
      case (.option, false):
        typed[parameter.key] = try container.decode(Option<String?>.self, forKey: key).wrappedValue.map { [$0] }
      case (.option, true):
        typed[parameter.key] = Self.given(try container.decode(Option<[String]>.self, forKey: key).wrappedValue)
      case (.positional, false):
        typed[parameter.key] = try container.decode(Argument<String?>.self, forKey: key).wrappedValue.map { [$0] }
      case (.positional, true):
        typed[parameter.key] = Self.given(try container.decode(Argument<[String]>.self, forKey: key).wrappedValue)
      }
    }
  }

  mutating func validate() {
    for parameter in E.parameters where parameter.isWritten {
      WrittenFiles.note(typed[parameter.key] ?? [], of: parameter.spelling)
    }
  }

  var customMirror: Mirror {
    Mirror(self, children: E.parameters.map { (label: $0.key, value: Self.wrapper(of: $0)) })
  }

  /// The texts typed, as fields that read like the keys of a file.
  var fields: [String: ScenarioField] {
    var fields: [String: ScenarioField] = [:]
    for parameter in E.parameters {
      if let texts = typed[parameter.key] {
        fields[parameter.key] = ScenarioField(option: parameter.spelling, texts)
      }
    }
    return fields
  }

  /// The words of a command line that give the same parameters.
  var words: [String] {
    let positional = E.parameters.filter { $0.form == .positional }.flatMap { typed[$0.key] ?? [] }
    return positional
      + E.parameters.flatMap { parameter -> [String] in
        guard let texts = typed[parameter.key] else { return [] }
        return switch parameter.form {
        case .positional: []
        case .flag: [parameter.spelling]
        case .option: texts.flatMap { [parameter.spelling, $0] }
        }
      }
  }

  private static func given(_ texts: [String]) -> [String]? { texts.isEmpty ? nil : texts }

  private static func wrapper(of parameter: Parameter<E>) -> any Sendable {
    let help = ArgumentHelp(
      ParameterReference(parameter).help,
      valueName: parameter.form == .positional ? parameter.option : parameter.valueName)
    let name = NameSpecification.customLong(parameter.option)
    let completion: CompletionKind? =
      if let complete = parameter.complete {
        .custom { _, _, typed in complete(typed) }
      } else {
        parameter.words.isEmpty ? nil : .list(parameter.words)
      }
    return switch (parameter.form, parameter.isList) {
    case (.flag, _): Flag(wrappedValue: false, name: name, help: help)
    case (.option, false):
      Option<String?>(name: name, parsing: .unconditional, help: help, completion: completion)
    case (.option, true):
      Option<[String]>(wrappedValue: [], name: name, parsing: .upToNextOption, help: help, completion: completion)
    case (.positional, false): Argument<String?>(help: help, completion: completion)
    case (.positional, true): Argument<[String]>(wrappedValue: [], help: help, completion: completion)
    }
  }

  private struct Key: CodingKey {
    let stringValue: String
    init(stringValue: String) { self.stringValue = stringValue }
    var intValue: Int? { nil }
    init?(intValue: Int) { nil }
  }
}

extension Experiment {
  /// The command of this experiment, with every parameter that differs from its default.
  var commandLine: String {
    let `default` = Self()
    var (positional, options) = ([String](), [String]())
    for parameter in Self.parameters {
      guard let value = parameter.write(self), parameter.isRequired || value != parameter.write(`default`) else {
        continue
      }
      switch parameter.form {
      case .positional: positional += value.typed
      case .flag: options.append(parameter.spelling)
      case .option: for text in value.typed { options += [parameter.spelling, text] }
      }
    }
    var echo = CommandLineEcho()
    echo.add(ProgramParts.words(of: Self.self) + positional + options)
    return echo.line
  }
}

extension JSONValue {
  /// The value as typed; each of several values is an element.
  fileprivate var typed: [String] {
    switch self {
    case .array(let values): values.flatMap(\.typed)
    case .string(let text): [text]
    default: [yamlInline]
    }
  }
}
