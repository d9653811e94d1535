// SPDX-License-Identifier: GPL-3.0-or-later
internal import MonteCarlo
internal import Randomness
internal import Reporting
internal import Statistics

// What the engine refuses is bad input: it comes from a scenario or an option.
extension MonteCarloError: InputError {}
extension RandomnessError: InputError {}
extension StatisticsError: InputError {}
