// SPDX-License-Identifier: GPL-3.0-or-later

// What `import Workbench` gives. Who writes an experiment imports the workbench alone; its interface stands in
// several modules, so that the labs, which need no command line, are compiled without it. A module named here would
// give everything that any lab needs, such as the reading of nested keys; a declaration named here gives itself.

// Experiments: what can be set, what is measured, how a sample is drawn, what is found.
@_exported public import struct Sampling.SampleMeasure
@_exported public import protocol Sampling.SampledExperiment
@_exported public import protocol Scenarios.Experiment
@_exported public import struct Scenarios.Measure
@_exported public import struct Scenarios.MeasureRow
@_exported public import struct Scenarios.Measurement
@_exported public import struct Scenarios.Parameter
@_exported public import struct Scenarios.ParameterError
@_exported public import enum Scenarios.ParameterForm
@_exported public import struct Scenarios.RunContext
@_exported public import struct Scenarios.ScenarioResult
@_exported public import struct Scenarios.ValueType
@_exported public import enum Scenarios.Verdict

// Documents: what a person reads.
@_exported public import struct Reporting.Colour
@_exported public import enum Reporting.JSONValue
@_exported public import struct Reporting.JSONMember
@_exported public import struct Reporting.Table
@_exported public import struct Scenarios.Document
@_exported public import struct Scenarios.Figure
@_exported public import enum Scenarios.ReportBlock
@_exported public import struct Scenarios.ReportGrid
@_exported public import struct Scenarios.ReportSection
@_exported public import struct Scenarios.ReportTable

// Random streams, and blocks of rounds with their checkpoints.
@_exported public import struct MonteCarlo.Abandoned
@_exported public import struct MonteCarlo.Block
@_exported public import struct MonteCarlo.BlockPlan
@_exported public import struct MonteCarlo.BlockRunner
@_exported public import class MonteCarlo.Interrupt
@_exported public import protocol MonteCarlo.MergeableTally
@_exported public import struct MonteCarlo.RunOutcome
@_exported public import struct MonteCarlo.Workers
@_exported public import struct Randomness.RandomStream
@_exported public import struct Randomness.StreamFamily

// Ways of turning samples into a statement, for `calibrate`.
@_exported public import struct Scenarios.CalibrationMethod
@_exported public import struct Scenarios.CalibrationProblem
