// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore
internal import MonteCarlo
internal import Randomness

/// How long an outage the attempts of a policy span, when each attempt fails at once.
struct AttemptBudget: Hashable, Sendable {
  /// The spans of all clients in ascending order, in nanoseconds.
  private let spans: [Int64]
  /// Whether all clients were drawn before an interruption; otherwise those drawn by then, at least one, are the
  /// sample.
  let isComplete: Bool

  init(
    _ policy: Backoff, clients: Int, seed: UInt64 = 1, generator: String = GSLGenerator.defaultName,
    interrupt: Interrupt? = nil
  ) throws {
    let streams = try StreamFamily(rootSeed: seed, experiments: ["budget"])
    var words = try DrawnWords(generator: generator, seed: try streams.seed(experiment: "budget", block: 0))
    var spans: [Int64] = []
    spans.reserveCapacity(clients)
    for client in 0..<clients {
      if client > 0, interrupt?.isRaised == true { break }
      var schedule = AttemptSchedule()
      var span = Interval.zero
      while let wait = schedule.next(policy, word: words.next(for: client)) { span = span + wait }
      spans.append(span.nanoseconds)
    }
    isComplete = spans.count == clients
    self.spans = spans.sorted()
  }

  var clients: Int { spans.count }

  /// The mean span, in seconds.
  var mean: Double { spans.reduce(0.0) { $0 + Double($1) / 1e9 } / Double(spans.count) }

  /// The span that a share of the clients, 0 to 1, does not exceed, in seconds: the outage that the others survive.
  func quantile(_ share: Double) -> Double {
    Double(spans[min(spans.count - 1, max(0, Int(share * Double(spans.count))))]) / 1e9
  }

  /// How many clients have an attempt left after an outage.
  func survivors(of outage: Interval) -> Int {
    // The first span that is longer, by bisection.
    var (low, high) = (0, spans.count)
    while low < high {
      let middle = (low + high) / 2
      if spans[middle] > outage.nanoseconds { high = middle } else { low = middle + 1 }
    }
    return spans.count - low
  }
}
