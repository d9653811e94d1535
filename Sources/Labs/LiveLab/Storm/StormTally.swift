// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore
internal import MonteCarlo

/// What a storm is counted in: whole numbers, so that it is the same whoever counted.
struct StormTally: MergeableTally, Equatable {
  /// Clients whose storm was played.
  var clients = 0
  /// Attempts that were made.
  var attempts = 0
  /// Attempts that the server shed after its return.
  var shed = 0
  /// Clients whose attempts were used up at any time.
  var gaveUp = 0
  /// Clients that are back.
  var back = 0
  /// Attempts in each tenth of a second, the first of them so long before the return as `bins` says.
  private(set) var attemptBins: [Int] = []
  /// Clients that came back in each millisecond after the return.
  private(set) var backMilliseconds: [UInt32] = []

  private let bins: StormBins

  init(_ bins: StormBins) { self.bins = bins }

  /// An attempt at that moment, in nanoseconds since the outage's begin.
  @inline(__always)
  mutating func attempt(at moment: Int64) {
    attempts += 1
    let bin = bins.bin(moment)
    if bin >= attemptBins.count { Self.grow(&attemptBins, toHold: bin) }
    attemptBins[bin] += 1
  }

  /// A client that is back at that moment, in nanoseconds since the outage's begin.
  @inline(__always)
  mutating func accept(at moment: Int64) {
    back += 1
    let millisecond = Int((moment - bins.outage) / 1_000_000)
    if millisecond >= backMilliseconds.count { Self.grow(&backMilliseconds, toHold: millisecond) }
    backMilliseconds[millisecond] += 1
  }

  mutating func merge(_ other: StormTally) {
    clients += other.clients
    attempts += other.attempts
    shed += other.shed
    gaveUp += other.gaveUp
    back += other.back
    Self.add(other.attemptBins, to: &attemptBins)
    Self.add(other.backMilliseconds, to: &backMilliseconds)
  }

  @inline(never)
  private static func grow<Count: FixedWidthInteger>(_ counts: inout [Count], toHold index: Int) {
    counts.append(contentsOf: repeatElement(0, count: index + 1 - counts.count))
  }

  private static func add<Count: FixedWidthInteger>(_ others: [Count], to counts: inout [Count]) {
    if others.count > counts.count { grow(&counts, toHold: others.count - 1) }
    for index in others.indices { counts[index] += others[index] }
  }
}

/// Tenths of seconds, laid so that one begins at the moment of the server's return.
struct StormBins: Hashable {
  /// How long the outage is, in nanoseconds.
  let outage: Int64
  /// How many tenths lie before the return; the outage begins within the first.
  let during: Int

  private let shift: Int64

  init(_ settings: StormSettings) {
    outage = settings.outage.nanoseconds
    during = Int((outage + Self.width - 1) / Self.width)
    shift = Int64(during) * Self.width - outage
  }

  /// The number of the tenth in which a moment lies, in nanoseconds since the outage's begin.
  @inline(__always)
  func bin(_ moment: Int64) -> Int { Int((moment + shift) / Self.width) }

  private static let width: Int64 = 100_000_000
}
