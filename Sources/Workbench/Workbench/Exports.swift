// SPDX-License-Identifier: GPL-3.0-or-later

// Who writes an experiment imports the workbench alone. Its interface stands in several modules, so that the labs,
// which need no command line, are compiled without it.
@_exported public import MonteCarlo
@_exported public import Randomness
@_exported public import Reporting
@_exported public import Sampling
@_exported public import Scenarios
