// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation

/// The random numbers of CPython's module `random` after `random.seed(seed)`.
///
/// Sources: Matsumoto and Nishimura, "Mersenne Twister", ACM Transactions on Modeling and Computer Simulation 8 (1998),
/// seeded by an array as in their `mt19937ar`; normal numbers by Kinderman and Monahan, "Computer generation of random
/// variables using the ratio of uniform deviates", ACM Transactions on Mathematical Software 3 (1977).
struct PythonRandom {
  private var state = [UInt32](repeating: 0, count: 624)
  private var place = 624

  init(seed: UInt32) {
    state[0] = 19_650_218
    for i in 1..<624 { state[i] = 1_812_433_253 &* (state[i - 1] ^ state[i - 1] >> 30) &+ UInt32(i) }
    var i = 1
    func advance(_ state: inout [UInt32]) {
      i += 1
      if i == 624 { (state[0], i) = (state[623], 1) }
    }
    for _ in 0..<624 {
      state[i] = (state[i] ^ (state[i - 1] ^ state[i - 1] >> 30) &* 1_664_525) &+ seed
      advance(&state)
    }
    for _ in 0..<623 {
      state[i] = (state[i] ^ (state[i - 1] ^ state[i - 1] >> 30) &* 1_566_083_941) &- UInt32(i)
      advance(&state)
    }
    state[0] = 1 << 31
  }

  private mutating func word() -> UInt32 {
    if place == 624 {
      for i in 0..<624 {
        let joined = state[i] & 1 << 31 | state[(i + 1) % 624] & (1 << 31 - 1)
        state[i] = state[(i + 397) % 624] ^ joined >> 1 ^ (joined & 1 == 1 ? 0x9908_B0DF : 0)
      }
      place = 0
    }
    var word = state[place]
    place += 1
    word ^= word >> 11
    word ^= word << 7 & 0x9D2C_5680
    word ^= word << 15 & 0xEFC6_0000
    return word ^ word >> 18
  }

  /// From 0 to 1, with 53 bits.
  mutating func unit() -> Double {
    let (high, low) = (word() >> 5, word() >> 6)
    return (Double(high) * 67_108_864 + Double(low)) / 9_007_199_254_740_992
  }

  mutating func uniform(_ low: Double, _ high: Double) -> Double { low + (high - low) * unit() }

  mutating func normal(_ mean: Double, _ deviation: Double) -> Double {
    let constant = 4 * exp(-0.5) / 2.0.squareRoot()
    while true {
      let (first, second) = (unit(), 1 - unit())
      let ratio = constant * (first - 0.5) / second
      if ratio * ratio / 4 <= -log(second) { return mean + ratio * deviation }
    }
  }
}

/// The contention of the reference, written anew after its description: in milliseconds, one message of each client
/// under way at a time.
struct ReferenceContention {
  /// In the order in which the reference played them.
  enum Policy: String, CaseIterable {
    case exponential = "exponential"
    case decorrelated = "decorrelated-jitter"
    case equal = "equal-jitter"
    case full = "full-jitter"
    case none = "no-wait"
  }

  var random: PythonRandom

  private enum Message { case read, version(Int), write(Int), answer(Bool), done }

  private mutating func delay() -> Double { abs(random.normal(10, 2)) }

  /// Plays one contention.
  ///
  /// - Returns: When the last client had its answer, and how many writes were tried.
  mutating func play(_ clients: Int, _ policy: Policy) -> (milliseconds: Double, calls: Int) {
    var messages = Array(repeating: Message.read, count: clients)
    var moments = (0..<clients).map { _ in delay() }
    var attempts = Array(repeating: 0, count: clients)
    var waits = Array(repeating: 5.0, count: clients)
    var (version, calls, now) = (0, 0, 0.0)
    while true {
      var client = 0
      for other in 1..<clients where moments[other] < moments[client] { client = other }
      guard moments[client] < .infinity else { return (now, calls) }
      now = moments[client]
      switch messages[client] {
      case .read: messages[client] = .version(version)
      case .version(let seen): messages[client] = .write(seen)
      case .write(let seen):
        calls += 1
        messages[client] = .answer(seen == version)
        if seen == version { version += 1 }
      case .answer(true): messages[client] = .done
      case .answer(false): messages[client] = .read
      case .done: break
      }
      if case .done = messages[client] {
        moments[client] = .infinity
        continue
      }
      moments[client] = now + delay()
      if case .read = messages[client] {
        attempts[client] += 1
        moments[client] += wait(policy, attempts[client], &waits[client])
      }
    }
  }

  private mutating func wait(_ policy: Policy, _ attempt: Int, _ last: inout Double) -> Double {
    let longest = min(2_000, Double(5 << min(attempt, 20)))
    switch policy {
    case .none: return 0
    case .exponential: return longest
    case .equal: return longest / 2 + random.uniform(0, longest / 2)
    case .full: return random.uniform(0, longest)
    case .decorrelated:
      last = min(2_000, random.uniform(5, last * 3))
      return last
    }
  }
}
