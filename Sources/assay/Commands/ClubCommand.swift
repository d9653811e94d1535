// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser

/// Everything about clubs and their feeds.
struct ClubCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "club",
    abstract: "Makes a club's weeks out of its feed, and puts what makes them on trial.",
    discussion: """
      A club's feed is pages of activities without dates and without ids. report and insights read feeds as the \
      service sends them; stress and feed try the same core on clubs that are invented, and so known.
      """,
    subcommands: [ClubReportCommand.self, ClubInsightsCommand.self, ClubStressCommand.self, ClubFeedCommand.self])
}
