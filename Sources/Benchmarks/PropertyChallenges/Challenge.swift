// SPDX-License-Identifier: GPL-3.0-or-later
internal import PropertyTesting

/// A false property with the simplest case that refutes it: what shrinking is measured by.
///
/// The first thirteen are those of the shrinking challenge (github.com/jlink/shrinking-challenge), with generators as
/// a user would write them.
package struct Challenge: Sendable {
  /// What one search came to.
  package struct Outcome: Sendable, Hashable {
    /// What was found, one description an argument, in brackets; nil when every case passed.
    package let form: String?
    /// Whether that is the simplest case there is.
    package let isMinimal: Bool
    /// How often the property ran from the first failure on, that one included, counted in its body.
    package let evaluations: Int
    /// The same, as the engine reports it.
    package let reportedEvaluations: Int
    /// How many cases had been judged when the first failed, that one included.
    package let casesUntilFound: Int
    /// Processor time from the first failure to the report, in milliseconds.
    package let milliseconds: Double
  }

  /// Its name, such as `bound5`.
  package let name: String
  /// What is claimed, falsely.
  package let claim: String
  /// The simplest case that refutes the claim, as outcomes describe theirs; nil when none is known.
  package let normalForm: String?

  private let search: @Sendable (CheckSettings, Meter) throws -> CheckReport

  /// - Parameters:
  ///   - name: A name that no other challenge has.
  ///   - claim: What is claimed, falsely.
  ///   - normalForm: The arguments of the simplest case that refutes it.
  ///   - generators: What makes the arguments.
  ///   - holds: Whether the claim is true of a case; what it does not speak about it discards by `assume`.
  init<each Value>(
    _ name: String, _ claim: String, normalForm: (repeat each Value), _ generators: repeat Gen<each Value>,
    holds: @escaping @Sendable (repeat each Value) throws -> Bool
  ) {
    var descriptions: [String] = []
    repeat descriptions.append(String(reflecting: each normalForm))
    self.init(name, claim, form: Self.form(descriptions), repeat each generators, holds: holds)
  }

  /// A challenge whose simplest case nobody has stated.
  init<each Value>(
    _ name: String, _ claim: String, _ generators: repeat Gen<each Value>,
    holds: @escaping @Sendable (repeat each Value) throws -> Bool
  ) {
    self.init(name, claim, form: nil, repeat each generators, holds: holds)
  }

  private init<each Value>(
    _ name: String, _ claim: String, form: String?, _ generators: repeat Gen<each Value>,
    holds: @escaping @Sendable (repeat each Value) throws -> Bool
  ) {
    self.name = name
    self.claim = claim
    normalForm = form
    search = { settings, meter in
      try PropertyTesting.search(repeat each generators, settings: settings) { (values: repeat each Value) in
        var isTrue = true
        defer { meter.note(failed: !isTrue) }
        isTrue = try holds(repeat each values)
        try PropertyTesting.claim(isTrue)
      }
    }
  }

  /// Searches for a case that refutes the claim, and shrinks it.
  ///
  /// - Parameters:
  ///   - seed: The seed from which all cases follow.
  ///   - cases: How many cases may pass before the search is given up.
  /// - Returns: What was found, and what it took.
  /// - Throws: What the engine throws for bad settings.
  package func run(seed: UInt64, cases: Int = 1_000_000) throws -> Outcome {
    var settings = CheckSettings()
    settings.seed = seed
    settings.cases = cases
    settings.explains = false
    let meter = Meter()
    let report = try search(settings, meter)
    let milliseconds = Double(meter.nanoseconds) / 1e6
    let counterexample = report.counterexample
    let form = counterexample.map { Self.form($0.arguments) }
    return Outcome(
      form: form, isMinimal: form != nil && form == normalForm, evaluations: meter.evaluations,
      reportedEvaluations: counterexample?.evaluations ?? 0, casesUntilFound: counterexample?.casesUntilFound ?? 0,
      milliseconds: milliseconds)
  }

  private static func form(_ arguments: [String]) -> String {
    arguments.count == 1 ? arguments[0] : "(" + arguments.joined(separator: ", ") + ")"
  }
}

/// The challenges by name.
package enum Challenges {
  /// The thirteen of the shrinking challenge.
  package static let standard: [Challenge] = lists + pairs + [calculator, binheap]
  /// Five harder ones, from research on what shrinkers cannot do.
  package static let harder: [Challenge] = [weightedLinear, chunkedDecoder, invoice, nested2, nested3]
  /// All eighteen.
  package static let all: [Challenge] = standard + harder
}
