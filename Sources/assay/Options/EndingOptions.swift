// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser
internal import MonteCarlo
internal import Reporting

/// When a game ends that is not simply so many rounds long.
struct EndingOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Play until the interval's half-width is at most this, or --rounds are played. Example: --half-width 0.0001",
      valueName: "bets"))
  var halfWidth: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Play for so many seconds; how many rounds that is cannot be reproduced, but --rounds with their number can. "
        + "Example: --deadline 10",
      valueName: "seconds"))
  var deadline: String?

  /// The rule to stop by.
  ///
  /// - Parameters:
  ///   - rounds: the number asked for; 1e8 where none is, and with a half-width as many as it takes.
  ///   - confidence: the interval's.
  /// - Returns: the rule, checked.
  /// - Throws: `CommandError` naming the option, the value and what was expected, or two options that exclude each
  ///   other.
  func rule(rounds: String?, confidence: Double) throws(CommandError) -> StoppingRule {
    if let deadline {
      if let other = [("--half-width", halfWidth), ("--rounds", rounds)].first(where: { $0.1 != nil }) {
        throw .badValue(
          option: "--deadline", found: deadline, expected: "no \(other.0) beside it: a game ends by one of them")
      }
      guard let seconds = Double(deadline), seconds > 0, seconds <= 1e6 else {
        throw .badValue(option: "--deadline", found: deadline, expected: "seconds above 0, for example 10")
      }
      return .deadline(.seconds(seconds))
    }
    let most = rounds ?? (halfWidth == nil ? "1e8" : "1e12")
    guard let count = WholeNumber.parse(most), (1...1_000_000_000_000).contains(count) else {
      throw .badValue(option: "--rounds", found: most, expected: "a whole number from 1 to 1e12, for example 1e9")
    }
    guard let halfWidth else { return .rounds(count) }
    guard let target = Double(halfWidth), target > 0, target <= 8 else {
      throw .badValue(option: "--half-width", found: halfWidth, expected: "bets above 0, for example 0.0001")
    }
    return .halfWidth(target, confidence: confidence, atMost: count)
  }

  /// Adds the options to an echo.
  func add(to echo: inout CommandLineEcho) {
    if let halfWidth { echo.add("--half-width", halfWidth) }
    if let deadline { echo.add("--deadline", deadline) }
  }
}
