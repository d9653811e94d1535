// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore
internal import Randomness
internal import VirtualTime

/// One contention of so many clients of one policy, in virtual time.
struct ContentionCourse: Sendable {
  let policy: Backoff
  let clients: Int
  /// How long a message takes, in nanoseconds.
  let delay: GaussianDistribution

  /// What comes to the server, at its moment. An answer meets nothing on its way that could change it, so the client's
  /// next message is scheduled at once.
  private enum Request {
    case read(client: Int)
    case write(client: Int, version: Int)
  }

  /// Plays it.
  ///
  /// - Parameter random: Where delays and waits come from.
  /// - Returns: When the last client knew that its write had succeeded, and how many writes were tried.
  func play(using random: inout GSLGenerator) -> (nanoseconds: Int64, calls: Int) {
    var queue = EventQueue<Request>()
    var attempts = Array(repeating: AttemptSchedule(), count: clients)
    var (version, calls, end) = (0, 0, VirtualInstant.zero)
    for client in 0..<clients { queue.schedule(.read(client: client), at: later(.zero, &random)) }
    while let (moment, request) = queue.next() {
      switch request {
      case .read(let client):
        let answered = later(moment, &random)
        queue.schedule(.write(client: client, version: version), at: later(answered, &random))
      case .write(let client, let seen):
        calls += 1
        let answered = later(moment, &random)
        if seen == version {
          version += 1
          end = max(end, answered)
        } else if let wait = attempts[client].next(policy, word: word(&random)) {
          let again = answered.advanced(byNanoseconds: wait.nanoseconds)
          queue.schedule(.read(client: client), at: later(again, &random))
        }
      }
    }
    return (end.nanoseconds, calls)
  }

  /// When a message arrives that is sent at a moment.
  private func later(_ moment: VirtualInstant, _ random: inout GSLGenerator) -> VirtualInstant {
    moment.advanced(byNanoseconds: Int64(abs(delay.sample(using: &random))))
  }

  private func word(_ random: inout GSLGenerator) -> UInt64 { UInt64(random.next()) << 32 | UInt64(random.next()) }
}
