// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore
internal import MonteCarlo

/// The returned server and the clients that come to it, in the order of time.
struct StormServer {
  private let course: StormCourse
  private var bucket: TokenBucket
  private var clients: [StormClient]
  private var queue: CalendarQueue

  /// A server that is just back.
  ///
  /// - Parameters:
  ///   - course: What the clients do.
  ///   - settings: The capacity.
  ///   - clients: Those that come, each with the moment of its first attempt at the server.
  init(_ course: StormCourse, _ settings: StormSettings, _ clients: [StormClient]) {
    (self.course, self.clients) = (course, clients)
    bucket = TokenBucket(settings, fullAt: course.restart)
    queue = CalendarQueue(
      clients: clients.count, beginning: course.restart, least: settings.failing.nanoseconds)
    for (place, client) in clients.enumerated() { queue.insert(Int32(place), at: client.moment) }
  }

  /// Plays until all are back, have given up, or nobody watches any longer.
  ///
  /// - Parameters:
  ///   - words: Of which waits are made.
  ///   - tally: Is told of what happens.
  ///   - interrupt: Looked at now and then.
  /// - Returns: Whether it came to its end.
  mutating func run<Words: StormWords & ~Copyable>(
    words: inout Words, tally: inout StormTally, interrupt: Interrupt?
  ) -> Bool {
    var day: [CalendarQueue.Entry] = []
    while queue.takeDay(into: &day) {
      if interrupt?.isRaised == true { return false }
      for entry in day {
        tally.attempt(at: entry.moment)
        if bucket.take(at: entry.moment) {
          tally.accept(at: entry.moment)
          continue
        }
        let place = Int(entry.client)
        course.shed(&clients[place], words: &words, tally: &tally)
        if clients[place].moment < course.end { queue.insert(entry.client, at: clients[place].moment) }
      }
    }
    return true
  }
}
