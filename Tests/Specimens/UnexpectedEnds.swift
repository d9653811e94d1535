// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser
internal import Workbench

/// Ends with an unexpected error, to test the message.
struct CrashTestCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "crash-test", abstract: "Ends with an unexpected error.", shouldDisplay: false)

  private struct UnexpectedError: Error {}

  func run() throws { throw UnexpectedError() }
}

/// Samples of which one in a thousand ends in a chosen way.
struct SpecimenSample: SampledExperiment {
  enum End: String, CaseIterable, Sendable { case number, trap, infinity, endless }

  static let kind = "specimen.sample"
  static let summary = "One sample in a thousand ends in a chosen way."

  var end = End.number

  static let parameters: [Parameter<Self>] = [Parameter("how", \.end, .choice, "How it ends.", example: "trap")]
  static let measures: [SampleMeasure<Double>] = [.mean("value", "A number.", range: 0...1) { $0 }]

  func sample(_ random: inout RandomStream) -> Double {
    guard random.happens(0.001) else { return random.uniform() }
    switch end {
    case .number: return 1
    case .trap:
      precondition(random.happens(0), "one in a thousand")
      return 0
    case .infinity: return .infinity
    case .endless: while true {}
    }
  }
}
