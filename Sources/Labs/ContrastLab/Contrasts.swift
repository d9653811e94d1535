// SPDX-License-Identifier: GPL-3.0-or-later
public import ContrastCore
public import Reporting
public import Scenarios

/// Checks whether colours of design tokens can be read and distinguished.
public enum Contrasts {
  public static let summary = "Design tokens: the contrast of every text with its background, in every theme."
  public static var experiments: [any Experiment.Type] { [ContrastRun.self] }

  /// A contrast ratio with two decimals, rounded down so that a failing ratio never looks passing: 4.4999 is 4.49.
  static func shown(_ ratio: Double) -> String {
    NumberFormat.fixed((ratio * 100).rounded(.down) / 100, decimals: 2)
  }
}

extension ContrastError: @retroactive InputError {}

extension ReportingError {
  init(_ error: ContrastError, hint: String = "") {
    self = .badValue(
      file: error.file, line: error.line, field: error.path.isEmpty ? "tokens" : error.path, found: error.found,
      expected: error.expected + hint)
  }
}

extension ContrastCore.Colour {
  /// The colour for a report, rounded to eight bits a channel.
  var shown: Reporting.Colour {
    let bytes = [red, green, blue].map { UInt32((min(1, max(0, $0)) * 255).rounded()) }
    return Reporting.Colour(bytes[0] << 16 | bytes[1] << 8 | bytes[2])
  }
}
