// SPDX-License-Identifier: GPL-3.0-or-later
internal import Reporting
internal import Scenarios

/// What a person reads about a parameter, in the help of the command and in the reference of the kind.
struct ParameterReference: Sendable {
  let key: String
  let spelling: String
  let meaning: String
  let expected: String
  /// The default as a file writes it; empty where there is none.
  let usual: String
  let example: String
  let isRequired: Bool

  init<E: Experiment>(_ parameter: Parameter<E>, of type: E.Type) {
    (key, spelling) = (parameter.key, parameter.spelling)
    (meaning, expected, example) = (parameter.meaning, parameter.expected, parameter.example)
    isRequired = parameter.isRequired
    usual = parameter.write(E()).map { $0.yamlInline } ?? ""
  }

  /// One paragraph for the command's help.
  var help: String {
    let remark = isRequired || usual.isEmpty ? "" : " (default: \(usual))"
    let sentence = "\(meaning.hasSuffix(".") ? String(meaning.dropLast()) : meaning)\(remark); \(expected)."
    return example.isEmpty ? sentence : "\(sentence) Example: \(spelling.hasPrefix("--") ? "\(spelling) " : "")\(example)"
  }
}
