// SPDX-License-Identifier: GPL-3.0-or-later
internal import MonteCarlo
public import Randomness
public import Reporting
internal import Statistics

// The values that the engine refuses come from a scenario or an option, so they are bad input.
extension MonteCarloError: InputError {}
extension RandomnessError: InputError {}
extension StatisticsError: InputError {}

/// A failure of the code under test, for which the process ends with 1.
package protocol FailureUnderTest: Error {}
