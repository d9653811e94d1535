// SPDX-License-Identifier: GPL-3.0-or-later

/// What a core's properties make of a broken subject: which of them notice, how soon, and by which counterexample.
public struct FaultFinding: Sendable {
  /// How often and how soon one property notices a fault.
  public struct Catch: Sendable {
    /// The property.
    public let property: Property
    /// The cases until it failed, the failing one included, from each seed that found one, in ascending order.
    public let cases: [Int]
    /// From how many seeds it was tried.
    public let seeds: Int
    /// The first counterexample, as simple as it could be made.
    public let counterexample: Counterexample

    /// The middle number of cases, the upper one of an even number of seeds; nil where most seeds found nothing.
    public var medianCases: Int? { seeds / 2 < cases.count ? cases[seeds / 2] : nil }
  }

  /// The broken variant.
  public let subject: BrokenSubject
  /// The properties that notice the fault, the soonest first, equals in the order of the catalogue.
  public let catches: [Catch]

  /// Tries a broken subject with all its properties.
  ///
  /// - Parameters:
  ///   - subject: The broken variant.
  ///   - settings: How much each property is tested from each seed; its seed is the first.
  ///   - seeds: From how many seeds.
  /// - Throws: What is wrong with the settings.
  public init(_ subject: BrokenSubject, settings: CheckSettings = CheckSettings(), seeds: Int = 1) throws {
    self.subject = subject
    var catches: [Catch] = []
    for property in subject.properties {
      if let found = try Self.attempt(property, settings, seeds: seeds) { catches.append(found) }
    }
    // Sorting in Swift keeps equals in their order.
    self.catches = catches.sorted { left, right in
      (left.medianCases ?? .max, -left.cases.count) < (right.medianCases ?? .max, -right.cases.count)
    }
  }

  private static func attempt(_ property: Property, _ settings: CheckSettings, seeds: Int) throws -> Catch? {
    var settings = settings
    let (limit, explains) = (settings.shrinkLimit, settings.explains)
    var cases: [Int] = []
    var first: Counterexample?
    for _ in 0..<seeds {
      settings.shrinkLimit = first == nil ? limit : 0
      settings.explains = first == nil && explains
      if let counterexample = try property.check(settings).counterexample {
        first = first ?? counterexample
        cases.append(counterexample.casesUntilFound)
      }
      settings.seed &+= 1
    }
    return first.map { Catch(property: property, cases: cases.sorted(), seeds: seeds, counterexample: $0) }
  }
}

extension PropertyCatalogue {
  /// What the properties make of each broken subject, in the catalogue's order.
  ///
  /// - Parameters:
  ///   - settings: How much each property is tested from each seed; its seed is the first.
  ///   - seeds: From how many seeds: the cases needed are the median over them.
  /// - Returns: One finding a subject.
  /// - Throws: What is wrong with the settings.
  public func faultFindings(settings: CheckSettings = CheckSettings(), seeds: Int = 1) throws -> [FaultFinding] {
    try subjects.map { try FaultFinding($0, settings: settings, seeds: seeds) }
  }
}
