// SPDX-License-Identifier: GPL-3.0-or-later

/// Tests a statement about values that generators make.
///
/// ```swift
/// let report = try search(.arrays(of: Gen<Int>.integers())) { numbers in
///   try claim(numbers.reversed() == numbers, "it reads differently backwards")
/// }
/// print(report.counterexample?.arguments)  // ["[0, 1]"]
/// ```
///
/// - Parameters:
///   - generators: What makes the arguments.
///   - settings: How much to test, and how.
///   - body: Returns for a case that passes; throws for one that fails; `assume` discards a case.
/// - Returns: What came of it.
/// - Throws: What is wrong with the settings.
public func search<each Value>(
  _ generators: repeat Gen<each Value>, settings: CheckSettings = CheckSettings(),
  body: @escaping @Sendable (repeat each Value) throws -> Void
) throws -> CheckReport {
  try Checker(Trial(repeat each generators, body: body), settings).run()
}
