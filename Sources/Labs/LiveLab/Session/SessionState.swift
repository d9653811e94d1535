// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore

/// What happens too seldom to be looked at in every step of a session.
enum Rare: Int {
  case faults, appSends, publishes, serverPings, credentials, staleRing, latePong, woke
}

/// A set of the app's message numbers, which are small and dense.
struct MessageSet {
  private var words: [UInt64] = []

  func contains(_ number: UInt64) -> Bool {
    let place = Int(number >> 6)
    return place < words.count && words[place] >> (number & 63) & 1 == 1
  }

  mutating func insert(_ number: UInt64) {
    let place = Int(number >> 6)
    while words.count <= place { words.append(0) }
    words[place] |= 1 << (number & 63)
  }

  mutating func removeAll() { words.removeAll(keepingCapacity: true) }
}

/// What the server knows.
struct ServerState {
  /// The app's messages that it has taken, whether or not it still knows.
  var taken = MessageSet()
  /// The highest of them that it knows of: what is not above it is a double.
  var takenThrough: UInt64 = 0
  /// Up to which number the client had told the app that they are acknowledged, when the server last forgot their
  /// numbers.
  var settledWhenForgotten: UInt64 = 0
  /// The number of its last ping.
  var ping: UInt32 = 0

  mutating func begin() {
    taken.removeAll()
    (takenThrough, settledWhenForgotten) = (0, 0)
    ping = 0
  }

  /// It no longer knows which messages it has taken.
  mutating func forgetNumbers(settledThrough: UInt64) { (takenThrough, settledWhenForgotten) = (0, settledThrough) }
}

/// What the phone knows, and what waits in it for the end of a sleep.
struct PhoneState {
  /// When the timer rings, by the world's clock, even while the phone sleeps.
  var timer = Int64.max
  /// The timer that rings although it was replaced.
  var staleTag = TimerTag(0)
  /// Who asked for credentials.
  var credentialsFor = Generation.none
  /// When the credentials held were fetched.
  var credentialsSince: Int64 = 0
  var dropped = MessageSet()
  /// Up to which number the client said that the server has the app's messages.
  var settledThrough: UInt64 = 0
  /// What the client was told.
  var toldReachable = true
  var toldInFront = true
  /// The network changed while it slept.
  var owesNetworkChange = false
  /// The rare things, by their bits, that came while it slept.
  var owes: UInt8 = 0
  var isStopped = false

  mutating func begin() {
    var empty = PhoneState()
    swap(&empty.dropped, &dropped)
    empty.dropped.removeAll()
    self = empty
  }
}

/// Pongs that the server holds back, in order.
struct LatePongs {
  private var waiting: [(at: Int64, generation: Generation, number: UInt32)] = []
  private var first = 0

  var next: Int64 { first < waiting.count ? waiting[first].at : .max }

  mutating func append(_ number: UInt32, of generation: Generation, at moment: Int64) {
    waiting.append((max(moment, waiting.last?.at ?? 0), generation, number))
  }

  mutating func removeFirst() -> (generation: Generation, number: UInt32) {
    let pong = waiting[first]
    first += 1
    if first == waiting.count {
      waiting.removeAll(keepingCapacity: true)
      first = 0
    }
    return (pong.generation, pong.number)
  }
}

/// The server's answer to the ping that the client just sent, while it is not known whether anything comes before it.
struct PongAtHand {
  var number: UInt32 = 0
  var sent: Int64 = 0
  /// When it arrives; never where there is none.
  var arrives = Int64.max
}

/// Which faults of the schedule hold, and which is next.
struct FaultCursor {
  var next = 0
  /// The places of those that hold.
  var holding = InlineArray<32, Int32>(repeating: 0)
  var count = 0
  /// The one whose beginning or end is being played; -1 while none is.
  var inHand = -1
  /// The one that began last; -1 before the first.
  var lastBegun = -1

  mutating func begin() { (next, count, inHand, lastBegun) = (0, 0, -1, -1) }

  mutating func hold(_ place: Int) {
    guard count < 32 else { return }
    holding[count] = Int32(truncatingIfNeeded: place)
    count += 1
  }

  mutating func release(_ place: Int) {
    for index in 0..<count where holding[index] == place {
      // In order, so that the last is the one that began last.
      for later in index + 1..<count { holding[later - 1] = holding[later] }
      count -= 1
      return
    }
  }
}
