// SPDX-License-Identifier: GPL-3.0-or-later

// The declarations of `import Workbench`, the only import that an experiment needs. They are in several modules, so
// that labs, which need no command line, compile without it. Exporting a whole module would export everything that any
// lab needs, such as the reading of nested keys; so declarations are exported one by one.

// Experiments: parameters, measures, samples and results.
@_exported public import protocol Sampling.BatchedExperiment
@_exported public import struct Sampling.SampleMeasure
@_exported public import func Sampling.bestOf
@_exported public import struct Sampling.NoTally
@_exported public import protocol Sampling.PairedBatches
@_exported public import protocol Sampling.RareEvent
@_exported public import struct Sampling.Replicate
@_exported public import protocol Sampling.SampledExperiment
@_exported public import struct Sampling.SampledRun
@_exported public import protocol Scenarios.Experiment
@_exported public import struct Scenarios.Measure
@_exported public import struct Scenarios.MeasureRow
@_exported public import struct Scenarios.Measurement
@_exported public import struct Scenarios.Parameter
@_exported public import struct Scenarios.ParameterError
@_exported public import enum Scenarios.ParameterForm
@_exported public import struct Scenarios.RunContext
@_exported public import struct Scenarios.SampleBatch
@_exported public import struct Scenarios.ScenarioResult
@_exported public import struct Scenarios.ValueType
@_exported public import enum Scenarios.Verdict

// Documents: reports for people.
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
@_exported public import struct Randomness.RandomStreams
@_exported public import struct SeededWords.StreamFamily

// Statistical methods, for `calibrate`.
@_exported public import struct Scenarios.CalibrationMethod
@_exported public import struct Scenarios.CalibrationProblem
