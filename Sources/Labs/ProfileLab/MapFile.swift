// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
public import ProfileCore
internal import Reporting
internal import Scenarios

/// Reads maps of settings: shipped ones by name, others from files.
public enum MapFile {
  /// Reads a map by its name or from a file.
  ///
  /// - Throws: `InputProblems` with every contradiction and its line; `ReportingError` if the text is not a map.
  public static func read(_ path: String) throws -> SettingsMap {
    switch path {
    case "flat": try read(String(decoding: PackageResources.flat_yaml, as: UTF8.self), file: path)
    case "nested": try read(String(decoding: PackageResources.nested_yaml, as: UTF8.self), file: path)
    default: try read(TextFile.read(path), file: path)
    }
  }

  /// Reads a map from a text; errors name `file`.
  ///
  /// - Throws: As `read(_:)`.
  public static func read(_ text: String, file: String) throws -> SettingsMap {
    let root = try ScenarioDocument(yaml: text, file: file).root.mapping(keys: ["name", "tabs", "systems", "screens"])
    let map = SettingsMap(
      name: try root.required("name", expected: "the name of the app").string(),
      tabs: try root.required("tabs", expected: "the screens of the tab bar").members.map { try $0.string() },
      systems: try root["systems"]?.members.map(version) ?? [],
      screens: try root.required("screens", expected: "a list of screens").members.map { try screen($0) })
    let problems = map.problems.map { one in
      ReportingError.badValue(
        file: file, line: one.line, field: one.field, found: one.found, expected: one.expected)
    }
    guard problems.isEmpty else { throw InputProblems(problems) }
    return map
  }

  private static func version(_ field: ScenarioField) throws -> SystemVersion {
    guard let version = SystemVersion(try field.string()) else { throw field.bad(expected: "a version such as 17.4") }
    return version
  }

  private static func screen(_ field: ScenarioField) throws -> SettingsMap.Screen {
    let keys = try field.mapping(keys: ["id", "name", "back", "sections"])
    var screen = SettingsMap.Screen(
      id: try keys.required("id", expected: "a name for programs").string(),
      name: try keys.required("name", expected: "what people read").string())
    screen.line = field.line
    screen.back = try keys["back"]?.string()
    for section in keys["sections"]?.members ?? [] {
      let part = try section.mapping(keys: ["name", "entries"])
      let name = try part["name"]?.string() ?? ""
      for entry in part["entries"]?.members ?? [] { screen.entries.append(try Self.entry(entry, in: name)) }
    }
    return screen
  }

  private static func entry(_ field: ScenarioField, in section: String) throws -> SettingsMap.Entry {
    let keys = try field.mapping(keys: ["id", "name", "kind", "to", "role", "also", "use", "since", "until"])
    let words = SettingsMap.Kind.allCases.map(\.rawValue)
    let kind = try keys.required("kind", expected: "one of \(words.joined(separator: ", "))").choice(among: words)
    var entry = SettingsMap.Entry(
      id: try keys.required("id", expected: "a name for programs").string(),
      name: try keys.required("name", expected: "what people read").string(),
      kind: SettingsMap.Kind(rawValue: kind) ?? .action)
    (entry.section, entry.line) = (section, field.line)
    entry.target = try keys["to"]?.string()
    entry.role = try keys["role"]?.string()
    entry.synonyms = try keys["also"]?.members.map { try $0.string() } ?? []
    if let use = keys["use"] {
      entry.use = try use.number()
      guard entry.use >= 0 else { throw use.bad(expected: "a number from 0 on") }
    }
    entry.since = try keys["since"].map(version)
    entry.until = try keys["until"].map(version)
    return entry
  }
}
