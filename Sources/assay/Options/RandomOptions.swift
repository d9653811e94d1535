// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser
internal import Foundation
internal import Randomness
internal import Reporting

/// What determines a simulation, and how many workers share it.
struct RandomOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The root seed, 0 to 2^64 - 1. Example: --seed 7", valueName: "number"))
  var seed = "1"

  @Option(
    help: ArgumentHelp("The GSL generator. Example: --generator taus2", valueName: "name"),
    completion: .list(GSLGenerator.names))
  var generator = "mt19937"

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "How many workers share the work; results do not depend on it (default: one a core). Example: --jobs 2",
      valueName: "count"))
  var jobs: String?

  /// The options, checked.
  struct Checked {
    let seed: UInt64
    let generator: String
    let jobs: Int

    /// Adds them to an echo.
    func add(to echo: inout CommandLineEcho) {
      echo.add("--seed", String(seed))
      echo.add("--generator", generator)
      echo.add("--jobs", String(jobs))
    }
  }

  /// The options, checked.
  ///
  /// - Throws: `CommandError` naming the option, the value and what was expected.
  func checked() throws -> Checked {
    Checked(
      seed: try Self.number(ofSeed: seed), generator: try Self.checked(generator: generator),
      jobs: try Self.workers(jobs))
  }

  /// A root seed.
  ///
  /// - Throws: `CommandError` naming the value and what was expected.
  static func number(ofSeed text: String) throws(CommandError) -> UInt64 {
    guard let seed = UInt64(text) else {
      throw .badValue(option: "--seed", found: text, expected: "a whole number, 0 to 18446744073709551615")
    }
    return seed
  }

  /// The name of a generator that there is.
  ///
  /// - Throws: `CommandError` with the nearest name.
  static func checked(generator: String) throws(CommandError) -> String {
    let known = GSLGenerator.names
    guard known.contains(generator) else {
      let nearest = Spelling.nearest(to: generator, among: known).map { " (did you mean '\($0)'?)" } ?? ""
      throw .badValue(
        option: "--generator", found: generator,
        expected: "a GSL generator\(nearest): \(known.joined(separator: ", "))")
    }
    return generator
  }

  /// A confidence that is neither 0 nor 1.
  static func probability(_ text: String) throws(CommandError) -> Double {
    guard let value = Double(text), value > 0, value < 1 else {
      throw .badValue(option: "--confidence", found: text, expected: "a probability between 0 and 1, such as 0.999")
    }
    return value
  }

  /// The number of workers asked for, or one a core.
  ///
  /// - Throws: `CommandError` naming the value and what was expected.
  static func workers(_ text: String?) throws(CommandError) -> Int {
    guard let text else { return max(1, ProcessInfo.processInfo.activeProcessorCount) }
    guard let count = Int(text), (1...1024).contains(count) else {
      throw .badValue(option: "--jobs", found: text, expected: "a whole number, 1 to 1024")
    }
    return count
  }
}
