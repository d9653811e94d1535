// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser
internal import BlackjackLab
internal import Reporting

/// How sure a simulated chart has to be, and how it is estimated.
struct CertificationOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The probability that everything the chart states holds together. Example: --confidence 0.99",
      valueName: "probability"))
  var confidence = "0.999"

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Actions closer than this, in bets, count as equal. Example: --indifference 0.001", valueName: "bets"))
  var indifference = "0.0005"

  @Option(
    help: ArgumentHelp(
      "How values are estimated: plain, paired or conditional. Example: --estimator paired", valueName: "name"),
    completion: .list(["plain", "paired", "conditional"]))
  var estimator = "conditional"

  /// The options, checked, with what determines the randomness.
  ///
  /// - Throws: `CommandError` naming the option, the value and what was expected.
  func checked(_ random: RandomOptions.Checked) throws -> Provenance.Simulation {
    let confidence = try Self.probability(confidence)
    guard let indifference = Double(indifference), indifference > 0, indifference <= 1 else {
      throw CommandError.badValue(
        option: "--indifference", found: indifference, expected: "a number of bets above 0 and at most 1")
    }
    let estimators = ["plain", "paired", "conditional"]
    guard estimators.contains(estimator) else {
      let nearest = Spelling.nearest(to: estimator, among: estimators).map { " (did you mean '\($0)'?)" } ?? ""
      throw CommandError.badValue(
        option: "--estimator", found: estimator, expected: "one of plain, paired, conditional\(nearest)")
    }
    return Provenance.Simulation(
      seed: random.seed, generator: random.generator, estimator: estimator, confidence: confidence,
      indifference: indifference)
  }

  /// A confidence that is neither 0 nor 1.
  static func probability(_ text: String) throws(CommandError) -> Double {
    guard let value = Double(text), value > 0, value < 1 else {
      throw .badValue(option: "--confidence", found: text, expected: "a probability between 0 and 1, such as 0.999")
    }
    return value
  }

  /// Adds the options to an echo.
  func add(to echo: inout CommandLineEcho) {
    echo.add("--confidence", confidence)
    echo.add("--indifference", indifference)
    echo.add("--estimator", estimator)
  }
}
