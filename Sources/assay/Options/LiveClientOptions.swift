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

  /// The options, checked.
  struct Checked {
    let variant: LiveVariant
    let policy: NamedBackoff
    let settings: ConnectionSettings
  }

  /// The options, checked.
  ///
  /// - Throws: `LiveLabError` or `CommandError` with the nearest name where one is unknown.
  func checked() throws -> Checked {
    let wanted = policy ?? "full-jitter"
    guard let named = Backoff.catalogue.first(where: { $0.name == wanted || $0.shortName == wanted }) else {
      let nearest = Spelling.nearest(to: wanted, among: Backoff.names).map { " (did you mean '\($0)'?)" } ?? ""
      throw CommandError.badValue(
        option: "--policy", found: wanted, expected: "one of \(Backoff.names.joined(separator: ", "))\(nearest)")
    }
    var settings = ConnectionSettings()
    settings.backoff = named.policy
    return Checked(variant: try LiveSubjects.named(subject), policy: named, settings: settings)
  }

  /// Adds the options to an echo.
  func add(to echo: inout CommandLineEcho) {
    if let policy { echo.add("--policy", policy) }
    if subject != LiveSubjects.production.name { echo.add("--subject", subject) }
  }
}
