// SPDX-License-Identifier: GPL-3.0-or-later

/// What a core's properties make of a broken subject: which of them notices the fault, how soon, by which
/// counterexample.
public struct FaultFinding: Sendable {
  /// The broken variant.
  public let subject: BrokenSubject
  /// The property that notices the fault soonest from most seeds; nil where none does.
  public let property: Property?
  /// The one quickest to read that it finds from any of those seeds, as simple as each could be made.
  public let counterexample: Counterexample?
  /// For each seed that found something, in ascending order, the cases that each property had judged by then.
  public let cases: [Int]
  /// From how many seeds it was tried.
  public let seeds: Int

  /// The middle number of cases, the upper one of an even number of seeds; nil where most seeds found nothing.
  public var medianCases: Int? { seeds / 2 < cases.count ? cases[seeds / 2] : nil }

  /// Tries a broken subject with all its properties, a few cases of each before many of any.
  ///
  /// - Parameters:
  ///   - subject: The broken variant.
  ///   - settings: How much each property is tested from each seed at most; its seed is the first.
  ///   - seeds: From how many seeds.
  /// - Throws: What is wrong with the settings.
  public init(_ subject: BrokenSubject, settings: CheckSettings = CheckSettings(), seeds: Int = 1) throws {
    self.subject = subject
    self.seeds = seeds
    var notices: [Notice] = []
    var quick = settings
    quick.shrinkLimit = 0
    quick.explains = false
    for _ in 0..<seeds {
      if let notice = try Self.soonest(subject.properties, quick) { notices.append(notice) }
      quick.seed &+= 1
    }
    cases = notices.map(\.cases).sorted()
    let counts = subject.properties.indices.map { position in notices.count { $0.position == position } }
    let most = counts.max() ?? 0
    guard most > 0, let position = counts.firstIndex(of: most) else {
      (property, counterexample) = (nil, nil)
      return
    }
    let property = subject.properties[position]
    self.property = property
    counterexample = try property.shortestCounterexample(
      settings, seeds: notices.filter { $0.position == position }.map(\.seed))
  }

  /// That a property failed.
  private struct Notice {
    let position: Int
    let cases: Int
    let seed: UInt64
  }

  private static func soonest(_ properties: [Property], _ settings: CheckSettings) throws -> Notice? {
    var settings = settings
    let most = settings.cases
    settings.cases = min(8, most)
    while true {
      var best: Notice?
      for (position, property) in properties.enumerated() {
        guard let cases = try property.check(settings).counterexample?.casesUntilFound else { continue }
        if cases < best?.cases ?? .max { best = Notice(position: position, cases: cases, seed: settings.seed) }
      }
      if best != nil || settings.cases >= most { return best }
      settings.cases = min(8 * settings.cases, most)
    }
  }
}

extension Property {
  /// The counterexample quickest to read of those from several seeds: shrinking from another start may end in
  /// another place.
  ///
  /// - Parameters:
  ///   - settings: How much is tested from each seed; its own seed is not used.
  ///   - seeds: The seeds.
  /// - Returns: The one with the shortest arguments, the earliest seed's of equals; nil where none is found.
  /// - Throws: What is wrong with the settings.
  public func shortestCounterexample(
    _ settings: CheckSettings, seeds: some Sequence<UInt64>
  ) throws -> Counterexample? {
    let found = try seeds.compactMap { seed in
      var settings = settings
      settings.seed = seed
      return try check(settings).counterexample
    }
    func length(_ one: Counterexample) -> Int { one.arguments.reduce(0) { $0 + $1.count } }
    return found.min { length($0) < length($1) }
  }
}

extension FaultFinding {
  /// The headings of `row`.
  public static let headings = ["subject", "what was broken", "caught by", "cases", "smallest counterexample"]

  /// The finding as a row of the table of faults.
  public var row: [String] {
    guard let property, let counterexample else { return [subject.name, subject.fault, "nothing", "", ""] }
    let cases = medianCases.map(String.init) ?? "in \(cases.count) of \(seeds) seeds"
    let arguments = property.named(counterexample.arguments).joined(separator: "; ")
    return [subject.name, subject.fault, property.id, cases, "\(arguments): \(counterexample.failure.message)"]
  }
}

extension PropertyCatalogue {
  /// What the properties make of each broken subject, in the catalogue's order.
  ///
  /// - Parameters:
  ///   - settings: How much each property is tested from each seed at most; its seed is the first.
  ///   - seeds: From how many seeds: the cases needed are the median over them.
  /// - Returns: One finding a subject.
  /// - Throws: What is wrong with the settings.
  public func faultFindings(settings: CheckSettings = CheckSettings(), seeds: Int = 1) throws -> [FaultFinding] {
    try subjects.map { try FaultFinding($0, settings: settings, seeds: seeds) }
  }
}
