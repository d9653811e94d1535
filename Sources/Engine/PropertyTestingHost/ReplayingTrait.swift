// SPDX-License-Identifier: Apache-2.0
internal import PropertyTesting
public import Testing

/// Cases that the checks of a test run first in every run, such as those of fixed bugs.
public struct ReplayingTrait: TestTrait {
  let tokens: [String]
}

extension Trait where Self == ReplayingTrait {
  /// Runs cases first in every run of a test.
  ///
  /// ```swift
  /// @Test("parsing is total", .replaying("AppTests.ParserTests.total:1:AQgAAAkBAwYdYCXw"))
  /// func total() async throws { try await check(.strings()) { text in _ = parse(text) } }
  /// ```
  ///
  /// A case belongs to the check that its token names, and to the first check of the test if it names none of them,
  /// because the test was renamed. For a check with a name, use `settings: .replaying(…)`.
  ///
  /// - Parameter tokens: What failures printed. A check throws as for `CheckSettings.replaying(_:)`.
  /// - Returns: The trait.
  public static func replaying(_ tokens: String...) -> ReplayingTrait { ReplayingTrait(tokens: tokens) }
}

extension Test {
  /// The tokens of its traits for a check: those with its name, and for the first check those that name no check.
  func pinned(for id: String, ownName: String, isFirst: Bool) -> [String] {
    traits.compactMap { $0 as? ReplayingTrait }.flatMap(\.tokens).filter { token in
      let name = (try? ReplayToken(parsing: token))?.property
      return name == id || isFirst && name?.hasPrefix(ownName + ".") != true
    }
  }
}
