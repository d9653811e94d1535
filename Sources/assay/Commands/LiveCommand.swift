// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser

/// Everything about connections that come back.
struct LiveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "live",
    abstract: "Puts the connection that comes back on trial: in simulated networks, in storms, event by event.",
    discussion: """
      A client of live scores has one connection, and it breaks. timeline shows one session of it, event by event.
      """,
    subcommands: [LiveTimelineCommand.self])
}
