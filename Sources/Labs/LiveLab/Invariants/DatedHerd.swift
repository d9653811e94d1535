// SPDX-License-Identifier: GPL-3.0-or-later
internal import CoreDates
internal import LiveCore
internal import Randomness

/// What many clients do that one server refused at different times, all with the same date in `Retry-After`: when each
/// asks it again.
struct DatedHerd: Sendable {
  /// How many clients there are.
  static let size = 32
  /// Within which time no more than half of them may return.
  static let window = Interval.seconds(1)

  /// How long after the date each asked again, in ascending order; less than nothing for too soon.
  let waits: [Interval]

  /// Lets clients of one kind be refused.
  ///
  /// - Parameters:
  ///   - type: What clients they are.
  ///   - ahead: How long before the date the first is refused, in seconds, at least 1.
  ///   - width: Within which time all are refused, in thousandths of that.
  ///   - hinted: Whether each loses its network and finds it again before the date.
  ///   - seed: What their chances are made of.
  /// - Throws: `RandomnessError` for a seed that no generator begins from.
  init<Subject: LiveSubject>(
    of type: Subject.Type, ahead: Int, width: Int, hinted: Bool, seed: UInt32
  ) throws(RandomnessError) {
    var words = try DrawnWords(generator: SessionRandom.defaultName, seed: seed)
    var waits: [Interval] = []
    for client in 0..<Self.size {
      let late = Int64(words.next(for: client).multipliedFullWidth(by: UInt64(ahead * width)).high)
      var run = DatedClient<Subject>(refusedAt: .zero + .milliseconds(late), date: .zero + .seconds(Int64(ahead)))
      if let wait = run.play(hinted: hinted, client, &words) { waits.append(wait) }
    }
    self.waits = waits.sorted()
  }

  /// The most of them that return within `window`.
  var most: Int { Herd.most(of: waits, within: Self.window) }

  /// Whether they do not return all together. Of clients that return evenly within 30 s, 17 of 32 are together in a
  /// second less than once in a million million herds.
  var isSpread: Bool { most <= Self.size / 2 }
}

extension DatedHerd: CustomStringConvertible {
  /// How many return together.
  var description: String { "\(most) of \(Self.size) clients return within \(Self.window.inSeconds)" }
}

/// A client of a server that names a date. Both read the right time.
private struct DatedClient<Subject: LiveSubject> {
  private var subject = Subject(ConnectionSettings())
  private var timer: (tag: TimerTag, due: Instant)?
  private var opening: Generation?
  private let refused: Instant
  private let date: Instant

  init(refusedAt refused: Instant, date: Instant) { (self.refused, self.date) = (refused, date) }

  /// Starts, is refused, and goes on until it asks again.
  ///
  /// - Returns: How long after the date it asks again; nil for never.
  mutating func play(hinted: Bool, _ number: Int, _ words: inout DrawnWords) -> Interval? {
    tell(.start, at: refused, words.next(for: number))
    guard let first = opening else { return nil }
    opening = nil
    tell(.refused(first, refusal), at: refused, words.next(for: number))
    if hinted {
      let middle = refused + Interval(nanoseconds: (date - refused).nanoseconds / 2)
      for isReachable in [false, true] where opening == nil {
        tell(.network(isReachable: isReachable), at: middle, words.next(for: number))
      }
      if opening != nil { return middle - date }
    }
    for _ in 0..<100 {
      guard let ring = timer else { return nil }
      timer = nil
      tell(.timer(ring.tag), at: ring.due, words.next(for: number))
      if opening != nil { return ring.due - date }
    }
    return nil
  }

  private mutating func tell(_ event: LiveEvent, at now: Instant, _ word: UInt64) {
    var effects = LiveEffects()
    _ = subject.handle(event, at: now, word: word, into: &effects)
    for effect in effects {
      switch effect {
      case .open(let generation, _): opening = generation
      case .setTimer(let tag, let due): timer = (tag, due)
      case .cancelTimer: timer = nil
      default: break
      }
    }
  }

  /// The answer, with the fields as they come over the wire: whole seconds.
  private var refusal: Refusal {
    func text(_ moment: Instant) -> String {
      HTTPDate(unixSeconds: Int64(Self.epoch) + (moment - .zero).nanoseconds / 1_000_000_000).description
    }
    return Refusal(
      status: 503, retryAfter: text(date), date: text(refused), location: nil, from: "wss://live.example",
      now: Int64(Self.epoch))
  }

  /// Midnight in the morning of 21 November 2026, in seconds since 1970.
  private static var epoch: Int { 1_795_219_200 }
}
