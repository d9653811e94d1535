// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
package import LiveCore

/// The time limit of an answer, and the number and times of further attempts.
package struct RetryPolicy: Hashable, Sendable {
  /// The waits between attempts; its attempts are those after the first.
  package var backoff: Backoff
  /// The time limit of one attempt.
  package var attemptTimeout = Interval.seconds(20)
  /// The longest `Retry-After` that is waited for; a longer one ends the attempts.
  package var longestWait = Interval.seconds(60)

  /// Three more attempts, within 0.5, 1 and 2 seconds (full jitter).
  package init() {
    backoff = Backoff()
    (backoff.base, backoff.cap, backoff.maximumAttempts) = (.milliseconds(500), .seconds(8), 3)
  }
}

/// Sends a request again if there is no answer or it is 429 or 5xx; when the attempts are exhausted, the last answer or
/// error is the result.
package struct RetryingTransport: LeagueTransport {
  private let base: any LeagueTransport
  private let policy: RetryPolicy
  private let clock: any Clock<Duration>
  private let word: @Sendable () -> UInt64
  private let now: @Sendable () -> Int64

  /// - Parameters:
  ///   - base: The transport that sends each attempt.
  ///   - policy: The number and times of attempts.
  ///   - clock: The clock for the time limit of attempts and the waits between them.
  ///   - word: 64 random bits for each wait.
  ///   - now: Seconds since 1970, for a `Retry-After` that is a date in an answer without a date.
  package init(
    _ base: any LeagueTransport, policy: RetryPolicy = RetryPolicy(), clock: any Clock<Duration> = ContinuousClock(),
    word: @escaping @Sendable () -> UInt64 = { .random(in: .min ... .max) },
    now: @escaping @Sendable () -> Int64 = { WallClock.seconds }
  ) {
    (self.base, self.policy, self.clock, self.word, self.now) = (base, policy, clock, word, now)
  }

  /// - Throws: `LeagueConnectionError.unreachable` if no attempt had an answer.
  package func send(_ request: LeagueRequest) async throws -> LeagueResponse {
    var schedule = AttemptSchedule()
    while true {
      let outcome = try await attempt(request)
      let attempts = Int(schedule.attempts) + 1
      if let wait = wait(after: outcome, &schedule) {
        try await clock.sleep(for: .nanoseconds(wait.nanoseconds))
        continue
      }
      switch outcome {
      case .success(var response):
        response.attempts = attempts
        return response
      case .failure(let error):
        throw LeagueConnectionError.unreachable(url: request.url, attempts: attempts, error)
      }
    }
  }

  /// The wait before the next attempt; nil if there is none.
  private func wait(after outcome: Result<LeagueResponse, TransportError>, _ schedule: inout AttemptSchedule)
    -> Interval?
  {
    switch outcome {
    case .failure(let error):
      return error.isTransient ? schedule.next(policy.backoff, word: word()) : nil
    case .success(let response):
      guard response.status == 429 || 500...599 ~= response.status else { return nil }
      let wish = response.headers["retry-after"].flatMap {
        RetryAfter.interval($0, date: response.headers["date"], now: now())
      }
      if let wish, wish > policy.longestWait { return nil }
      // The wait is added to `Retry-After`, so that clients do not all return at one moment.
      return schedule.next(policy.backoff, word: word()).map { $0 + (wish ?? .zero) }
    }
  }

  private func attempt(_ request: LeagueRequest) async throws -> Result<LeagueResponse, TransportError> {
    let (base, clock, limit) = (base, clock, policy.attemptTimeout)
    return try await withThrowingTaskGroup(of: LeagueResponse.self) { group in
      group.addTask { try await base.send(request) }
      group.addTask {
        try await clock.sleep(for: .nanoseconds(limit.nanoseconds))
        throw TransportError.timeout(seconds: limit.seconds)
      }
      defer { group.cancelAll() }
      do {
        guard let response = try await group.next() else { throw CancellationError() }
        return .success(response)
      } catch let error as TransportError {
        return .failure(error)
      }
    }
  }
}

/// The time of day.
public enum WallClock {
  /// Seconds since 1970-01-01 00:00 UTC.
  public static var seconds: Int64 { Int64(Date().timeIntervalSince1970) }
}
