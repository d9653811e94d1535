// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser
internal import MonteCarlo
internal import PropertyLab
internal import PropertyTesting

/// One case of a property, run again.
struct PropertiesReplayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Runs a failing case again.",
    discussion: """
      Example: assay properties replay league.15:1:BAEBAAMCAAABCAAACQgACf_IAQEBAgEBBAABBAEGBgYICGI4JrA \
      --subject as-first-sketched

      Exits with 1 when it fails still, with 0 when it passes now, and with 2 when the generators ask for other \
      choices than when the case was found.
      """)

  @Argument(help: "The case, as a failure printed it. Example: league.15:1:BAEBAAMCAAABCAAACQgACf_I...")
  var token: String

  @OptionGroup var trial: SubjectOption
  @OptionGroup var isolation: IsolationOptions

  func run() throws {
    let token = try ReplayToken(parsing: token)
    let chosen = try LabProperties().property(token.property, subject: trial.subject)
    let caseLimit = try isolation.checked()
    var echo = CommandLineEcho("assay", "properties", "replay", "\(token)")
    trial.add(to: &echo)
    isolation.add(to: &echo)
    let bench = try PropertyBench(
      isolation: caseLimit.map { Isolation(worker: LabProperties.workerCommand, caseLimit: $0) }, jobs: 1,
      interrupt: Interrupt())
    let outcome = try bench.replay(token, of: chosen)
    try Console.write("\(chosen.property.id)  \(chosen.property.sentence)\n")
    switch outcome {
    case .failed(let failure, let arguments):
      let lines = chosen.property.named(arguments) + ["failure: \(failure.message)", "at \(failure.origin)"]
      try Console.write(lines.map { "  \($0)\n" }.joined())
      throw ExitStatus.Verdict(status: .failed, message: "FAILS still.", reproduction: echo.line)
    case .passed: try Console.write("  passes now\n")
    case .excluded: try Console.write("  no longer a case: the property assumes that it does not come\n")
    case .stale: throw CheckError.staleTape(property: chosen.property.id)
    }
  }
}
