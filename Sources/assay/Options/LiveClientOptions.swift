// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser
internal import LiveCore
internal import LiveLab
internal import Reporting

/// Which client a session has, and which backoff policy.
struct LiveClientOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The backoff policy: \(Backoff.names.joined(separator: ", ")) (default: full-jitter). "
        + "Example: --policy equal-jitter",
      valueName: "name"),
    completion: .list(Backoff.names))
  var policy: String?

  @Option(
    help: ArgumentHelp(
      "The client: production, or one that is broken on purpose. Example: --subject live-replaced-design",
      valueName: "name"),
    completion: .list(LiveSubjects.all.map(\.name)))
  var subject = LiveSubjects.production.name

  /// The client, checked.
  ///
  /// - Throws: `CommandError` for an unknown client, `LiveLabError` for an unknown policy, each with the nearest name.
  func checked() throws -> SimulatedClient {
    let known = LiveSubjects.all.map(\.name)
    guard let variant = LiveSubjects.all.first(where: { $0.name == subject }) else {
      throw CommandError.noSuchSubject(subject, nearest: Spelling.nearest(to: subject, among: known), known: known)
    }
    return try SimulatedClient(variant, policy: policy)
  }

  /// Adds the options to an echo.
  func add(to echo: inout CommandLineEcho) {
    if let policy { echo.add("--policy", policy) }
    if subject != LiveSubjects.production.name { echo.add("--subject", subject) }
  }
}
