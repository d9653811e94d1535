// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser
internal import BlackjackCore
internal import PropertyLab
internal import PropertyTesting

/// What a shell offers where a person presses the tabulator key.
enum Completions {
  /// Names of rules, token by token: whatever goes on from what was typed and is a game.
  static var rules: CompletionKind { .custom { _, _, typed in ruleNames(goingOnFrom: typed) } }

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

  /// The names that one token more makes of the beginning of one.
  ///
  /// - Parameter typed: what was typed, possibly with a part of a token at its end.
  /// - Returns: names of games, the simplest first.
  static func ruleNames(goingOnFrom typed: String) -> [String] {
    var done = typed.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
    let begun = done.popLast() ?? ""
    return Rules.tokens.joined().filter { $0.hasPrefix(begun.lowercased()) }.map {
      (done + [$0]).joined(separator: "-")
    }
    .filter { (try? Rules(name: $0)) != nil }
  }
}
