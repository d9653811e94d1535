// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore

/// What a storm of one policy came to: exact counts.
package struct StormResult: Sendable, Equatable {
  /// The policy's name.
  package let policy: String
  /// What the storm depended on beside the policy.
  package let settings: StormSettings
  /// Whether it was played to its end; otherwise it is what was known when somebody interrupted.
  package let isComplete: Bool

  private let tally: StormTally
  private let bins: StormBins

  init(_ policy: String, _ settings: StormSettings, _ tally: StormTally, isComplete: Bool) {
    (self.policy, self.settings, self.tally, self.isComplete) = (policy, settings, tally, isComplete)
    bins = StormBins(settings)
  }

  /// Clients that were played.
  package var clients: Int { tally.clients }
  /// Attempts, before and after the server's return.
  package var attempts: Int { tally.attempts }
  /// Attempts that the returned server shed.
  package var shed: Int { tally.shed }
  /// Clients that used up their attempts; they may be back all the same, by the slow cadence of the suspended.
  package var gaveUp: Int { tally.gaveUp }
  /// Clients that are back.
  package var back: Int { tally.back }
  /// Clients that were not back when nobody watched any longer.
  package var missing: Int { clients - back }

  /// Attempts in each tenth of a second before the server's return; the last ends with it.
  package var attemptsDuring: [Int] {
    let counts = Array(tally.attemptBins.prefix(bins.during))
    return counts + Array(repeating: 0, count: bins.during - counts.count)
  }

  /// Attempts in each tenth of a second from the server's return on, up to the last attempt.
  package var attemptsAfter: [Int] { Array(tally.attemptBins.dropFirst(bins.during)) }

  /// Clients that came back in each millisecond from the server's return on, up to the last.
  package var backPerMillisecond: [UInt32] { tally.backMilliseconds }

  /// Clients that came back in each tenth of a second from the server's return on.
  package var acceptedAfter: [Int] { Self.sums(of: tally.backMilliseconds.map(Int.init), by: 100) }

  /// The most attempts in a second before the server's return: whole seconds, counted back from the return.
  package var peakDuring: Int { Self.sums(of: attemptsDuring.reversed(), by: 10).max() ?? 0 }

  /// The most attempts in a second from the server's return on: whole seconds, counted from the return.
  package var peakAfter: Int { Self.sums(of: attemptsAfter, by: 10).max() ?? 0 }

  /// The most attempts in a tenth of a second from the server's return on.
  package var peakTenth: Int { attemptsAfter.max() ?? 0 }

  /// The most clients that came back in a second: whole seconds, counted from the return.
  package var peakAccepted: Int { Self.sums(of: acceptedAfter, by: 10).max() ?? 0 }

  /// When a share of all clients was back, in milliseconds after the server's return, cut to whole ones.
  ///
  /// - Parameter share: Above 0, at most 1.
  /// - Returns: The milliseconds; nil where so many never were.
  package func back(share: Double) -> Int? {
    let wanted = Int((share * Double(clients)).rounded(.up))
    guard wanted <= back else { return nil }
    var sum = 0
    for (millisecond, count) in tally.backMilliseconds.enumerated() {
      sum += Int(count)
      if sum >= wanted { return millisecond }
    }
    return nil
  }

  /// When clients were back in the mean, in seconds after the server's return, from whole milliseconds; whoever was
  /// missing when nobody watched any longer counts as back at that moment.
  package var meanBack: Double {
    guard clients > 0 else { return 0 }
    var sum = missing * Int(settings.watched.nanoseconds / 1_000_000)
    for (millisecond, count) in tally.backMilliseconds.enumerated() { sum += millisecond * Int(count) }
    return Double(sum) / 1_000 / Double(clients)
  }

  private static func sums(of counts: [Int], by width: Int) -> [Int] {
    stride(from: 0, to: counts.count, by: width).map { first in
      counts[first..<min(first + width, counts.count)].reduce(0, +)
    }
  }
}
