// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser
internal import LiveLab
internal import Randomness

/// What determines simulated sessions, and how many workers share them.
struct LiveRandomOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The root seed, 0 to 2^64 - 1. Example: --seed 7", valueName: "number"))
  var seed = "1"

  @OptionGroup var generator: LiveGeneratorOption

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "How many workers share the work; results do not depend on it (default: one a core). Example: --jobs 2",
      valueName: "count"))
  var jobs: String?

  /// The options, checked.
  ///
  /// - Throws: `CommandError` naming the option, the value and what was expected.
  func checked() throws -> RandomOptions.Checked {
    RandomOptions.Checked(
      seed: try RandomOptions.number(ofSeed: seed), generator: try generator.checked(),
      jobs: try RandomOptions.workers(jobs))
  }
}

/// What draws the numbers of sessions, of which each begins anew from a seed of its own.
struct LiveGeneratorOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The GSL generator; the usual one begins anew sooner than others. Example: --generator mt19937",
      valueName: "name"),
    completion: .list(GSLGenerator.names))
  var generator = SessionRandom.defaultName

  /// The generator, checked.
  ///
  /// - Throws: `CommandError` with the nearest name.
  func checked() throws(CommandError) -> String { try RandomOptions.checked(generator: generator) }

  /// Adds the option to an echo.
  func add(to echo: inout CommandLineEcho) {
    if generator != SessionRandom.defaultName { echo.add("--generator", generator) }
  }
}
