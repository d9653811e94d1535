// SPDX-License-Identifier: GPL-3.0-or-later
public import PropertyTesting
public import Testing

/// A fault put into a core on purpose: what has to notice it, and how soon. A test suite holds a catalogue to such
/// faults, so that its properties are known to fail where they should.
public struct PlantedFault: Hashable, Sendable {
  /// The mutant's name.
  public let subject: String
  /// The id of the property that notices it.
  public let property: String
  /// Within how many cases, from any seed tried.
  public let cases: Int
  /// The arguments of the smallest counterexample; empty where there are several.
  public let smallest: [String]

  /// A fault.
  ///
  /// - Parameters:
  ///   - subject: The mutant's name.
  ///   - property: The id of the property that notices it.
  ///   - cases: Within how many cases, from any seed tried.
  ///   - smallest: The arguments of the smallest counterexample, where there is only one.
  public init(_ subject: String, caughtBy property: String, within cases: Int, smallest: [String] = []) {
    (self.subject, self.property, self.cases, self.smallest) = (subject, property, cases, smallest)
  }

  /// Expects that the property notices the fault from three seeds, with the smallest counterexample where it is known.
  ///
  /// - Parameters:
  ///   - catalogue: Where the subject and the property are.
  ///   - sourceLocation: Where issues are recorded.
  /// - Throws: Where there is no such subject or property, or it is not noticed.
  public func expectCaught(
    in catalogue: PropertyCatalogue, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let broken = try #require(catalogue.subject(subject), sourceLocation: sourceLocation)
    let catching = try #require(broken.properties.first { $0.id == property }, sourceLocation: sourceLocation)
    for seed in 0..<3 {
      var settings = CheckSettings()
      settings.cases = cases
      settings.seed = UInt64(seed)
      settings.explains = false
      let counterexample = try #require(
        try catching.check(settings).counterexample, "not caught from seed \(seed)", sourceLocation: sourceLocation)
      if !smallest.isEmpty { #expect(counterexample.arguments == smallest, sourceLocation: sourceLocation) }
    }
  }
}

extension PlantedFault: CustomTestStringConvertible {
  /// `dense-ranks is caught by league.5 within 100 cases`.
  public var testDescription: String { "\(subject) is caught by \(property) within \(cases) cases" }
}
