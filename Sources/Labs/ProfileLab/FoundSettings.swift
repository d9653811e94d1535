// SPDX-License-Identifier: GPL-3.0-or-later
public import ProfileCore
public import Reporting
public import Scenarios

/// The settings of a map that a text finds.
public struct FoundSettings {
  private let text: String
  private let found: [MapSearch.Match]
  private static let fields = ["name", "synonym", "section", "screen"]

  /// Searches a map on a system version; on the last of the map if it is `nil`.
  public init(_ text: String, in map: SettingsMap, on system: SystemVersion?) {
    self.text = text
    found = MapSearch(map, on: system ?? map.systems.last).find(text)
  }

  /// A row for each setting, best first.
  public var document: Document {
    let table = Table(
      ["setting", "way", "found by"], numbers: ["steps", "typing errors"],
      rows: found.map { one in
        [
          one.route.entry.name, one.route.path.joined(separator: " > "), Self.fields[one.field], "\(one.route.steps)",
          "\(one.typos)",
        ]
      })
    return Document(
      id: "found", title: "\(NumberFormat.counted(found.count, "setting")) for '\(Spelling.excerpt(text))'",
      found.isEmpty ? [] : [.table(table)], data: table)
  }

  /// The settings with their identifiers.
  public var json: JSONValue {
    [
      "query": .string(text),
      "found": .array(
        found.map { one in
          [
            "id": .string(one.route.entry.id), "name": .string(one.route.entry.name),
            "path": .array(one.route.path.map { .string($0) }), "steps": .integer(one.route.steps),
            "foundBy": .string(Self.fields[one.field]), "typos": .integer(one.typos),
          ]
        }),
    ]
  }
}
