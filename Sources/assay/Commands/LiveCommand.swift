// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser

/// Everything about connections that come back.
struct LiveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "live",
    abstract: "Tests the connection that comes back: in simulated networks, in storms, event by event.",
    discussion: """
      A client of live scores has one connection, and it breaks. simulate runs millions of sessions of the client \
      under named outages and says how often it was back in time; storm lets millions of clients return to one \
      restarted server; timeline shows one session of simulate, event by event.
      """,
    subcommands: Labs.commands(of: "live"))
}
