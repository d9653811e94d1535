// SPDX-License-Identifier: GPL-3.0-or-later
package import ArgumentParser
internal import Reporting
package import Scenarios

/// Options and arguments that a `ValueType` reads, with its errors, its words for completion and its name in the help.
extension Option {
  /// An option with a default, which ends the help after the example.
  package init(
    wrappedValue: Value, _ name: String, _ type: ValueType<Value>, _ help: String, example: String,
    valueName: String? = nil, short: Character? = nil
  ) where Value: Sendable {
    let written = type.write(wrappedValue)
    let `default` = if case .string(let text) = written { text } else { written.yamlInline }
    self.init(
      wrappedValue: wrappedValue, name: Self.names(name, short), parsing: .unconditional,
      help: ArgumentHelp(
        "\(help) Example: --\(name) \(example) (default: \(`default`))",
        valueName: valueName ?? type.name),
      completion: type.completion, transform: type.reader(of: "--\(name)"))
  }

  /// An option that may be left out.
  package init<Given>(
    _ name: String, _ type: ValueType<Given>, _ help: String, example: String, valueName: String? = nil,
    short: Character? = nil
  ) where Value == Given? {
    self.init(
      name: Self.names(name, short), parsing: .unconditional,
      help: ArgumentHelp("\(help) Example: --\(name) \(example)", valueName: valueName ?? type.name),
      completion: type.completion, transform: type.reader(of: "--\(name)"))
  }

  private static func names(_ name: String, _ short: Character?) -> NameSpecification {
    NameSpecification([.customLong(name)] + (short.map { [.customShort($0, allowingJoined: true)] } ?? []))
  }
}

extension Argument {
  /// An argument that must be given.
  package init(_ name: String, _ type: ValueType<Value>, _ help: String) where Value: Sendable {
    self.init(
      help: ArgumentHelp(help, valueName: name), completion: type.completion,
      transform: type.reader(of: "<\(name)>"))
  }

  /// An argument that may be left out.
  package init<Given>(_ name: String, _ type: ValueType<Given>, _ help: String) where Value == Given? {
    self.init(
      help: ArgumentHelp(help, valueName: name), completion: type.completion,
      transform: type.reader(of: "<\(name)>"))
  }
}

extension ValueType {
  fileprivate var completion: CompletionKind? { words.isEmpty ? nil : .list(words) }

  /// Reads the text of an option or an argument.
  fileprivate func reader(of option: String) -> @Sendable (String) throws -> Value {
    { try read(ScenarioField(option: option, [$0])) }
  }
}
