// SPDX-License-Identifier: Apache-2.0
package import MonteCarlo
internal import Synchronization

/// The properties of one core, and the mutants of the core that test the properties.
///
/// ```swift
/// static let catalogue = PropertyCatalogue(
///   core: "Sorting", production: Sorting(), properties: properties(of:),
///   mutants: [
///     Mutation("drops-equals", "equal numbers are dropped", caughtBy: "sort.1", within: 50, smallest: ["[0, 0]"]) {
///       $0.sort = { Array(Set($0)).sorted() }
///     }
///   ])
/// ```
public struct PropertyCatalogue: Sendable {
  /// The core of the properties, such as `BlackjackCore`.
  public let core: String
  /// The mutants, each with the same properties.
  public let mutants: [Mutant]
  private let promised: Lazy<[Property]>
  private let unpromised: Lazy<[Property]>

  /// The properties of the production code, in the order of their numbers.
  public var properties: [Property] { promised.value }
  /// Plausible statements that do not hold, kept for their smallest counterexamples.
  public var notPromised: [Property] { unpromised.value }

  /// Creates a catalogue from the operations of the production code, the claims about given operations, and a change of
  /// the operations for each mutant. The claims are created on first use.
  public init<Operations: Sendable>(
    core: String, production: Operations, properties: @escaping @Sendable (Operations) -> [Property],
    mutants: [Mutation<Operations>], notPromised: @autoclosure @escaping @Sendable () -> [Property] = []
  ) {
    self.init(
      core: core, properties: properties(production),
      mutants: mutants.map { mutation in
        Mutant(mutation.name, mutation.fault, expectation: mutation.expectation) {
          var operations = production
          mutation.change(&operations)
          return properties(operations)
        }
      },
      notPromised: notPromised())
  }

  package init(
    core: String, properties: @autoclosure @escaping @Sendable () -> [Property], mutants: [Mutant] = [],
    notPromised: @autoclosure @escaping @Sendable () -> [Property] = []
  ) {
    (self.core, self.mutants) = (core, mutants)
    (promised, unpromised) = (Lazy(properties), Lazy(notPromised))
  }

  /// The property with this id, promised or not; `nil` if there is none.
  public func property(_ id: String) -> Property? { (properties + notPromised).first { $0.id == id } }

  /// The mutant with this name; `nil` if there is none.
  public func mutant(_ name: String) -> Mutant? { mutants.first { $0.name == name } }

  /// The same catalogue with only some properties, for the production code and for each mutant.
  package func keeping(_ ids: Set<String>) -> PropertyCatalogue {
    @Sendable func kept(_ properties: [Property]) -> [Property] { properties.filter { ids.contains($0.id) } }
    return PropertyCatalogue(
      core: core, properties: kept(properties),
      mutants: mutants.map { mutant in
        Mutant(mutant.name, mutant.fault, expectation: mutant.expectation) { kept(mutant.properties) }
      },
      notPromised: notPromised)
  }
}

/// A fault to introduce into the production code, with the property that must catch it and the number of cases.
public struct Mutation<Operations>: Sendable {
  /// The name on the command line, such as `soft-ace-stays`.
  public let name: String
  /// The fault, in one line.
  public let fault: String
  let expectation: Mutant.Expectation
  let change: @Sendable (inout Operations) -> Void

  /// Creates a mutation.
  ///
  /// - Parameters:
  ///   - name: A unique name.
  ///   - fault: The fault of the mutated code, in one line.
  ///   - property: The id of the property that must catch it.
  ///   - cases: The largest number of cases until then, from any seed tried.
  ///   - smallest: The arguments of the smallest counterexample; empty if there are several.
  ///   - change: Replaces operations of the production code by wrong ones.
  public init(
    _ name: String, _ fault: String, caughtBy property: String, within cases: Int, smallest: [String] = [],
    change: @escaping @Sendable (inout Operations) -> Void
  ) {
    self.name = name
    self.fault = fault
    expectation = Mutant.Expectation(property: property, cases: cases, smallest: smallest)
    self.change = change
  }
}

/// Mutated code with the properties of its catalogue, which must fail where the production code passes.
public struct Mutant: Sendable {
  /// The name on the command line, such as `soft-ace-stays`.
  public let name: String
  /// The fault, in one line.
  public let fault: String
  package let expectation: Expectation?
  private let claims: Lazy<[Property]>

  /// The catalogue's properties of the mutated code, in the same order with the same ids.
  public var properties: [Property] { claims.value }

  package struct Expectation: Sendable {
    package let property: String
    package let cases: Int
    package let smallest: [String]
  }

  package init(
    _ name: String, _ fault: String, expectation: Expectation? = nil, properties: @escaping @Sendable () -> [Property]
  ) {
    (self.name, self.fault) = (name, fault)
    (self.expectation, claims) = (expectation, Lazy(properties))
  }
}

/// A value created on first use: a program declares the properties of all its cores, but most of its commands need
/// none.
private final class Lazy<Value: Sendable>: Sendable {
  private enum State {
    case declared(@Sendable () -> Value)
    case made(Value)
  }

  private let state: Mutex<State>

  init(_ make: @escaping @Sendable () -> Value) { state = Mutex(.declared(make)) }

  var value: Value {
    state.withLock { state in
      switch state {
      case .made(let value): return value
      case .declared(let make):
        let value = make()
        state = .made(value)
        return value
      }
    }
  }
}

/// The property that catches a mutant, with the number of cases and the counterexample.
package struct FaultFinding: Sendable {
  package let mutant: Mutant
  /// The outcome, in the form of checkpoints.
  package let outcome: Outcome
  package let seeds: Int

  package struct Outcome: Codable, Sendable {
    /// The index of the property that catches the mutant soonest from most seeds; `nil` if none does.
    fileprivate(set) var position: Int?
    /// The shortest of the shrunk counterexamples of these seeds.
    fileprivate(set) var counterexample: Counterexample?
    /// For each seed with a failure, in ascending order, the number of cases that each property had evaluated by then.
    fileprivate(set) var cases: [Int]
  }

  package var property: Property? {
    outcome.position.flatMap { mutant.properties.indices.contains($0) ? mutant.properties[$0] : nil }
  }
  package var counterexample: Counterexample? { outcome.counterexample }
  package var cases: [Int] { outcome.cases }

  package init(_ mutant: Mutant, _ outcome: Outcome, seeds: Int) {
    (self.mutant, self.outcome, self.seeds) = (mutant, outcome, seeds)
  }

  /// The median number of cases, the upper one for an even number of seeds; `nil` if most seeds found nothing.
  package var medianCases: Int? { seeds / 2 < cases.count ? cases[seeds / 2] : nil }

  /// Tries a mutant with all its properties, a few cases of each before many of any; throws `Abandoned` if it is
  /// interrupted.
  package init(
    _ mutant: Mutant, settings: CheckSettings = CheckSettings(), seeds: Int = 1, interrupt: Interrupt? = nil
  ) throws {
    var catches: [Catch] = []
    var quick = settings
    quick.shrinkLimit = 0
    quick.explains = false
    for _ in 0..<seeds {
      if let first = try Self.soonest(mutant, quick, interrupt) { catches.append(first) }
      quick.seed &+= 1
    }
    var outcome = Outcome(cases: catches.map(\.cases).sorted())
    let counts = mutant.properties.indices.map { position in catches.count { $0.position == position } }
    let maximum = counts.max() ?? 0
    if maximum > 0, let position = counts.firstIndex(of: maximum) {
      outcome.position = position
      outcome.counterexample = try mutant.properties[position].shortestCounterexample(
        settings, seeds: catches.filter { $0.position == position }.map(\.seed), interrupt: interrupt, of: mutant)
    }
    self.init(mutant, outcome, seeds: seeds)
  }

  private struct Catch {
    let position: Int
    let cases: Int
    let seed: UInt64
  }

  private static func soonest(
    _ mutant: Mutant, _ settings: CheckSettings, _ interrupt: Interrupt?
  ) throws -> Catch? {
    var settings = settings
    let maximum = settings.cases
    settings.cases = min(8, maximum)
    while true {
      var best: Catch?
      for (position, property) in mutant.properties.enumerated() {
        let found = try property.uninterrupted(settings, interrupt, of: mutant)
        guard let cases = found.counterexample?.casesUntilFound else { continue }
        if cases < best?.cases ?? .max { best = Catch(position: position, cases: cases, seed: settings.seed) }
      }
      if best != nil || settings.cases >= maximum { return best }
      settings.cases = min(8 * settings.cases, maximum)
    }
  }

  package static let headings = ["mutant", "fault", "caught by", "cases", "smallest counterexample"]

  package var row: [String] {
    guard let property, let counterexample else { return [mutant.name, mutant.fault, "nothing", "", ""] }
    let cases = medianCases.map(String.init) ?? "in \(cases.count) of \(seeds) seeds"
    let arguments = property.named(counterexample.arguments).joined(separator: "; ")
    return [mutant.name, mutant.fault, property.id, cases, "\(arguments): \(counterexample.failure.text)"]
  }
}

extension Property {
  /// Tests the property to its end; throws `Abandoned` if it is interrupted.
  fileprivate func uninterrupted(
    _ settings: CheckSettings, _ interrupt: Interrupt?, of mutant: Mutant?
  ) throws -> CheckReport {
    let report = try reportingTraps(caseLimit: settings.caseLimit, threads: settings.jobs) { token in
      token.map { ["replay: assay properties replay \($0)\(mutant.map { " --mutant \($0.name)" } ?? "")"] } ?? []
    } _: {
      try $0.check(settings, in: CheckEnvironment(interrupt: interrupt))
    }
    try interrupt?.check()
    return report
  }

  /// The shortest counterexample over several seeds: shrinking may end differently from another start.
  package func shortestCounterexample(
    _ settings: CheckSettings, seeds: some Sequence<UInt64>, interrupt: Interrupt? = nil, of mutant: Mutant? = nil
  ) throws -> Counterexample? {
    let found = try seeds.compactMap { seed in
      var settings = settings
      settings.seed = seed
      return try uninterrupted(settings, interrupt, of: mutant).counterexample
    }
    func length(_ one: Counterexample) -> Int { one.arguments.reduce(0) { $0 + $1.count } }
    return found.min { length($0) < length($1) }
  }
}
