// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser
internal import PropertyLab
internal import PropertyTesting

/// What a shell offers where a person presses the tabulator key.
enum Completions {
  /// Properties: their ids, and the groups that they belong to.
  static var properties: CompletionKind {
    .custom { _, _, typed in propertyNames().filter { $0.hasPrefix(typed) } }
  }

  /// Broken subjects.
  static var subjects: CompletionKind {
    .custom { _, _, typed in LabProperties().catalogues.subjects.filter { $0.hasPrefix(typed) } }
  }

  /// Groups of properties first, then ids.
  private static func propertyNames() -> [String] {
    let ids = LabProperties().catalogues.all.flatMap { $0.properties.map(\.id) }
    return Set(ids.compactMap { $0.split(separator: ".").first.map(String.init) }).sorted() + ids
  }
}
