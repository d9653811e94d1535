// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore
internal import Reporting

/// A client that a session can run: the one that ships, or a variant with one fault put in on purpose.
package struct LiveVariant: Sendable {
  /// What the command line calls it, such as `live-resets-on-open`.
  package let name: String
  /// What was broken, in a line; of the client that ships, what it is.
  package let fault: String
  /// Which of the known families of faults it stands for, by their numbers in the list of reconnect bugs.
  package let families: [Int]
  /// What makes it.
  package let type: any LiveSubject.Type

  init(_ name: String, _ fault: String, families: [Int] = [], _ type: any LiveSubject.Type) {
    (self.name, self.fault, self.families, self.type) = (name, fault, families, type)
  }
}

/// The clients that a session can run.
package enum LiveSubjects {
  /// The client that ships.
  package static let production = LiveVariant("production", "the client that ships", LiveConnection.self)

  /// The variants that are broken on purpose.
  package static let broken = attempts + links + timers + messages

  /// All of them, the client that ships first.
  package static let all = [production] + broken

  /// The client of a name.
  ///
  /// - Parameter name: `production`, or that of a broken variant.
  /// - Returns: The client.
  /// - Throws: `LiveLabError.badValue` with the nearest name where there is none.
  package static func named(_ name: String) throws(LiveLabError) -> LiveVariant {
    if let found = all.first(where: { $0.name == name }) { return found }
    let names = all.map(\.name)
    let hint = Spelling.nearest(to: name, among: names).map { " (did you mean '\($0)'?)" } ?? ""
    throw .badValue(
      field: "subject", found: "'\(name)'\(hint)", expected: "one of \(names.joined(separator: ", "))")
  }

  private static let attempts = [
    LiveVariant(
      "live-replaced-design", "forgets the attempts on connect, spreads them by a tenth, and asks no link if it lives",
      families: [1, 8, 12], ReplacedDesign.self),
    LiveVariant(
      "live-resets-on-open", "the attempts are forgotten when a socket opens", families: [1], ResetsOnOpen.self),
    LiveVariant("live-never-resets", "the attempts are never forgotten", families: [2], NeverResets.self),
    LiveVariant(
      "live-counts-twice", "an error and the close that follows it count as two attempts", families: [2, 3],
      CountsTwice.self),
    LiveVariant("live-never-suspends", "the attempts have no end", NeverSuspends.self),
    LiveVariant("live-forgets-the-floor", "nothing keeps two attempts apart", ForgetsTheFloor.self),
    LiveVariant("live-knows-no-jitter", "every client waits equally long", families: [12], KnowsNoJitter.self),
    LiveVariant("live-loops-on-token", "a refused token is tried again and again", families: [15], LoopsOnToken.self),
    LiveVariant("live-ignores-retry-after", "`Retry-After` is not read", families: [15], IgnoresRetryAfter.self),
    LiveVariant(
      "live-meets-at-the-date", "all come when the date comes that `Retry-After` names", families: [12],
      MeetsAtTheDate.self),
    LiveVariant(
      "live-misses-refusals", "an answer that is not 101 is no event, and the attempt goes on", families: [15],
      MissesRefusals.self),
    LiveVariant(
      "live-leaks-the-lock", "an attempt that was dropped keeps the lock on connecting", families: [6],
      LeaksTheLock.self),
  ]

  private static let links = [
    LiveVariant("live-sends-no-pings", "a dead link is noticed by luck", families: [8], SendsNoPings.self),
    LiveVariant("live-waits-for-the-kernel", "an attempt may take over two minutes", WaitsForTheKernel.self),
    LiveVariant(
      "live-closes-politely", "a link without a pong is asked to close", families: [10], ClosesPolitely.self),
    LiveVariant(
      "live-own-close-is-final", "its own close with 1000 is taken for the server's last word", families: [11],
      TakesItsOwnCloseForFinal.self),
    LiveVariant(
      "live-leaves-orphans", "what is dropped stays open, and what comes through it counts", families: [4],
      LeavesOrphans.self),
    LiveVariant(
      "live-drops-with-handshake", "what comes directly behind the handshake is lost", families: [13],
      DropsWhatCameWithTheHandshake.self),
    LiveVariant(
      "live-doubles-itself", "an error and the close that follows it both plan an attempt", families: [3, 4],
      DoubledClient.self),
  ]

  private static let timers = [
    LiveVariant(
      "live-keeps-connect-timeouts", "the timeout of one attempt closes what a later one opened", families: [5],
      KeepsConnectTimeouts.self),
    LiveVariant(
      "live-keeps-heartbeats", "the pong of an earlier connection is awaited on the next", families: [9],
      KeepsHeartbeats.self),
    LiveVariant(
      "live-believes-old-deadlines", "after a sleep, a deadline that passed in it kills the link", families: [9],
      BelievesOldDeadlines.self),
    LiveVariant(
      "live-reuses-timer-tags", "the ring of a timer that was replaced is taken for that of the present one",
      families: [5], ReusesTimerTags.self),
    LiveVariant(
      "live-returns-from-the-dead", "a stop between two attempts does not stop the next", families: [7],
      ReturnsFromTheDead.self),
  ]

  private static let messages = [
    LiveVariant("live-flushes-backwards", "what waits is sent newest first", families: [14], FlushesBackwards.self),
    LiveVariant(
      "live-forgets-the-unacknowledged", "what was sent and not acknowledged is lost with the connection",
      families: [14], ForgetsTheUnacknowledged.self),
    LiveVariant("live-queues-without-end", "the queue has no bounds", QueuesWithoutEnd.self),
    LiveVariant(
      "live-listens-again", "each connection adds a listener, and none is taken away", families: [4],
      ListensAgain.self),
    LiveVariant("live-hides-gaps", "a hole in the stream is passed over", families: [14], KeepsQuietAboutGaps.self),
    LiveVariant(
      "live-answers-twice", "what became of a message is told at the answer and again at the end", families: [16],
      AnswersTwice.self),
    LiveVariant("live-shows-the-past", "the status says connected while the link is opened again", ShowsThePast.self),
    LiveVariant("live-announces-nothing", "changes of the status are not announced", AnnouncesNothing.self),
  ]
}
