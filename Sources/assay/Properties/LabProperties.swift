// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackLab
internal import ClubLab
internal import Foundation
internal import LeagueLab
internal import LiveLab
internal import PropertyLab
internal import PropertyTesting

/// Every property that the labs hold, as the command line names them.
struct LabProperties {
  /// What makes this executable judge cases for another process.
  static var workerCommand: [String] {
    [Bundle.main.executablePath ?? CommandLine.arguments.first ?? "assay", "properties", "worker"]
  }

  /// The labs' catalogues; in an environment that has `ASSAY_SPECIMENS` the specimens, too, to try the command line on.
  let catalogues: Catalogues

  init(environment: [String: String] = ProcessInfo.processInfo.environment) {
    let labs = [
      BlackjackProperties.catalogue, LeagueProperties.catalogue, ClubProperties.catalogue, LiveProperties.catalogue,
    ]
    catalogues = Catalogues(labs + (environment["ASSAY_SPECIMENS"] == nil ? [] : [Specimens.catalogue]))
  }

  /// The properties that patterns choose, as `Catalogues.chosen(_:subject:)` has it.
  func chosen(_ patterns: [String], subject: String?) throws(CommandError) -> [Catalogues.Chosen] {
    do { return try catalogues.chosen(patterns, subject: subject) } catch { throw CommandError(error) }
  }

  /// The property of exactly that id, as `Catalogues.property(_:subject:)` has it.
  func property(_ id: String, subject: String?) throws(CommandError) -> Catalogues.Chosen {
    do { return try catalogues.property(id, subject: subject) } catch { throw CommandError(error) }
  }

  /// The catalogues of some groups, as `Catalogues.catalogues(of:)` has it.
  func catalogues(of groups: [String]) throws(CommandError) -> [PropertyCatalogue] {
    do { return try catalogues.catalogues(of: groups) } catch { throw CommandError(error) }
  }
}

extension CommandError {
  /// What cannot be put on trial, told by the option that asked for it.
  fileprivate init(_ error: PropertyLabError) {
    self =
      switch error {
      case .noSuchProperty(let found, let nearest): .noSuchProperty(found, nearest: nearest)
      case .noSuchSubject(let found, let nearest, let known): .noSuchSubject(found, nearest: nearest, known: known)
      }
  }
}
