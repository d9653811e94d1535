// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser
internal import PropertyLab
internal import PropertyTesting

/// The process in which `check` and `replay` judge cases; it is not for people.
struct PropertiesWorkerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "worker",
    abstract: "Judges cases for another process.",
    shouldDisplay: false)

  func run() throws {
    let catalogues = LabProperties().catalogues
    let known = Dictionary(
      uniqueKeysWithValues: ([nil] + catalogues.subjects.map(Optional.some)).map { subject in
        (subject, (try? catalogues.chosen([], subject: subject).map(\.property)) ?? [])
      })
    try WorkerHost(command: LabProperties.workerCommand) { id, subject in
      known[subject]?.first { $0.id == id }
    }.serve()
  }
}
