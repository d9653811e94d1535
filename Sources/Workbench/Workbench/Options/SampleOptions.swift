// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser
internal import Reporting
package import Scenarios

/// Options for an experiment's single samples, which do not change the result.
package struct SampleOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Also write a row for each sample, with its number and its measures, to a file that ends in "
        + "\(SampleHandling.fileEndings.joined(separator:", ")). Example: --samples-to days.csv.gz",
      valueName: "file"),
    completion: .file())
  var samplesTo: String?

  @Option(
    "sample-limit", .duration(.milliseconds(100)...(.seconds(30 * 86_400))),
    "End the run if a sample takes longer, and print the command that draws it alone.", example: "10s")
  var sampleLimit: Duration?

  package init() {}

  package mutating func validate() { WrittenFiles.note([samplesTo].compactMap(\.self), of: "--samples-to") }

  /// The settings, checked before anything is drawn.
  package func handling(of scenarios: [Scenario], isShard: Bool = false) throws -> SampleHandling {
    var handling = SampleHandling()
    handling.limit = sampleLimit
    if let file = samplesTo {
      let problem =
        if scenarios.count != 1 {
          "one scenario, not \(scenarios.count), whose samples are written"
        } else if let key = (scenarios[0].plan as? any VariedExperiment)?.variation {
          "no '\(key)' next to it: the file has the samples of one run"
        } else if !scenarios[0].plan.listsSamples {
          "a run that draws samples one after the other"
        } else if isShard {
          "no --shard next to it: the file has the samples of a whole run"
        } else if !SampleHandling.fileEndings.contains(where: file.hasSuffix) {
          "a name that ends in \(SampleHandling.fileEndings.joined(separator: ", "))"
        } else if try OutputFile(file).isStream {
          "a file, which is put in place when it is whole"
        } else {
          ""
        }
      guard problem.isEmpty else {
        throw CommandError.badValue(option: "--samples-to", found: file, expected: problem)
      }
      handling.file = file
    }
    return handling
  }

  func add(to echo: inout CommandLineEcho) {
    if let samplesTo { echo.add("--samples-to", samplesTo) }
    if let sampleLimit { echo.add("--sample-limit", TimeSpan.text(sampleLimit)) }
  }
}
