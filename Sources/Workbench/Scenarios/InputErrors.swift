// SPDX-License-Identifier: GPL-3.0-or-later
internal import MonteCarlo
public import Randomness
public import Reporting
internal import Statistics

// What the engine refuses is bad input: it comes from a scenario or an option.
extension MonteCarloError: InputError {}
extension RandomnessError: InputError {}
extension StatisticsError: InputError {}

/// An error by which what is under test has failed: the process ends with 1.
package protocol FailureUnderTest: Error {}
