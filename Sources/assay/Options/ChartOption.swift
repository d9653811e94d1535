// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser
internal import BlackjackCore
internal import Reporting

/// Which chart is played or judged.
struct ChartOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A CSV file with columns kind,player,dealer,action and maybe fallback (default: the trainer's chart). "
        + "Example: --chart my-chart.csv", valueName: "file"),
    completion: .file(extensions: ["csv"]))
  var chart: String?

  /// The chart's name in reports.
  var name: String { chart ?? "trainer" }

  /// The chart, all of whose 330 cells are there.
  ///
  /// - Throws: `ReportingError.unreadable`, or `CommandError.badChart` naming the file, the line, the field and the
  ///   value.
  func read() throws -> StrategyChart {
    guard let path = chart else { return .trainer }
    let text = try TextFile.read(path)
    do {
      return try StrategyChart(csv: text)
    } catch {
      throw CommandError.badChart(path: path, problem: error.description)
    }
  }
}
