// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore
internal import Reporting

/// A built-in profile: a text in the form of a scenario's profile, with parameters.
struct ProfileTemplate: Sendable {
  let name: String
  let meaning: String
  let parameters: [(parameter: FaultParameter, standard: Spread)]
  /// The parameters that are shares of one whole.
  let shares: [String]
  private let text: String

  private init(_ text: String) throws(ReportingError) {
    self.text = text
    let map = try ScenarioDocument(yaml: text, file: "built-in profiles").root.mapping(keys: ProfileReader.templateKeys)
    (name, meaning) = (try map["name"]?.string() ?? "", try map["meaning"]?.string() ?? "")
    parameters = try (map["parameters"]?.members ?? []).map { field throws(ReportingError) in try Self.parameter(field)
    }
    shares = try (map["shares"]?.members ?? []).map { field throws(ReportingError) in try field.string() }
  }

  /// Reads a parameter such as `length 20s`, `known 50%`, or `gaps 3..6 of 1..20 gaps in a row`.
  private static func parameter(_ field: ScenarioField) throws(ReportingError) -> (FaultParameter, Spread) {
    let words = try field.string().split(separator: " ").map(String.init)
    var parameter = FaultParameter(words[0], .time, 1...FaultSchedule.longest.nanoseconds)
    if words.count > 3, let range = ProfileReader.spread(words[3], as: .any) {
      parameter = FaultParameter(
        words[0], .count(of: words.dropFirst(4).joined(separator: " ")), range.minimum...range.maximum)
    } else if words.last?.hasSuffix("%") == true {
      parameter = .portion(words[0])
    }
    guard words.count > 1, let standard = ProfileReader.spread(words[1], as: parameter) else {
      throw field.bad(expected: parameter.expectation)
    }
    return (parameter, standard)
  }

  /// The profile with other values for some parameters.
  ///
  /// - Throws: `ReportingError` if the resulting profile is invalid.
  func profile(changed: [String: Spread] = [:]) throws(ReportingError) -> OutageProfile {
    var (text, values) = (text, changed)
    // Longer names first, since shorter ones may be their prefixes.
    for (parameter, standard) in parameters.sorted(by: { $0.parameter.name.count > $1.parameter.name.count }) {
      let value = changed[parameter.name] ?? standard
      values[parameter.name] = value
      text = text.replacing("$" + parameter.name, with: parameter.text(value))
    }
    var profile = try ProfileReader.composed(ScenarioDocument(yaml: text, file: "built-in profiles").root)
    profile.origin = ProfileOrigin(template: name, values: values)
    return profile
  }

  /// Invalid texts are skipped; a test checks that there are none.
  static let all = String(decoding: PackageResources.built_in_profiles_yaml, as: UTF8.self)
    .split(separator: "---\n").dropFirst().compactMap { try? ProfileTemplate(String($0)) }
}

/// The built-in profile that a profile is derived from, and the values of its parameters.
struct ProfileOrigin: Hashable, Sendable {
  let template: String
  let values: [String: Spread]
}

extension OutageProfile {
  public static let all = ProfileTemplate.all.compactMap { try? $0.profile() }

  public static let names = ProfileTemplate.all.map(\.name)

  /// Throws `LiveLabError.badValue` with the closest match if there is no built-in profile of that name.
  public static func named(_ name: String) throws(LiveLabError) -> OutageProfile {
    guard let profile = all.first(where: { $0.name == name }) else {
      throw .badValue(
        field: "profile", found: "'\(name)'",
        expected: "one of \(names.joined(separator: ", "))\(Spelling.hint(for: name, among: names))")
    }
    return profile
  }
}
