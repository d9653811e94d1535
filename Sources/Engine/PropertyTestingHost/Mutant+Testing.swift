// SPDX-License-Identifier: GPL-3.0-or-later
public import PropertyTesting
public import Testing

extension Mutant: CustomTestStringConvertible {
  /// `dense-ranks, caught by league.5 within 100 cases`.
  public var testDescription: String {
    expectation.map { "\(name), caught by \($0.property) within \($0.cases) cases" } ?? name
  }

  /// Expects that the property that the mutation names catches the mutant from three seeds, with the smallest
  /// counterexample where there is only one.
  ///
  /// ```swift
  /// @Test("Mutants are caught", arguments: BlackjackProperties.catalogue.mutants)
  /// func caught(mutant: Mutant) throws { try mutant.expectCaught() }
  /// ```
  ///
  /// - Parameter sourceLocation: Where issues are recorded.
  /// - Throws: Where there is no such property, or it does not fail.
  public func expectCaught(sourceLocation: SourceLocation = #_sourceLocation) throws {
    let expected = try #require(expectation, "no property is named", sourceLocation: sourceLocation)
    let property = try #require(
      properties.first { $0.id == expected.property }, "there is no property \(expected.property)",
      sourceLocation: sourceLocation)
    var settings = CheckSettings()
    settings.cases = expected.cases
    settings.explains = false
    for seed in 0..<UInt64(3) {
      settings.seed = seed
      let counterexample = try #require(
        try property.check(settings).counterexample, "not caught from seed \(seed)", sourceLocation: sourceLocation)
      if !expected.smallest.isEmpty {
        #expect(counterexample.arguments == expected.smallest, sourceLocation: sourceLocation)
      }
    }
  }
}
