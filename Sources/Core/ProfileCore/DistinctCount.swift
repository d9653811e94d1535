// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// The number of distinct hashes: exact up to a bound, then estimated by HyperLogLog.
///
/// The standard error of 4,096 registers is 1.04 / 64 = 1.6%. The estimator is Ertl's ("New cardinality estimation
/// algorithms for HyperLogLog sketches", 2017), which needs no table of biases. Merging is a union: any order and any
/// grouping give the same value, to the bit.
public struct DistinctCount: Hashable, Codable, Sendable {
  /// The largest count that is exact.
  public static let exactBound = 1_024
  /// The relative standard error of an estimate.
  public static let standardError = 1.04 / 64

  private static let bits = 12
  private var exact: Set<UInt64> = []
  private var registers: [UInt8] = []

  /// A count of 0.
  public init() {}

  /// True if the count is exact.
  public var isExact: Bool { registers.isEmpty }

  /// Adds a hash of 64 well-mixed bits.
  public mutating func insert(_ hash: UInt64) {
    if registers.isEmpty {
      exact.insert(hash)
      if exact.count > Self.exactBound { estimate() }
    } else {
      note(hash)
    }
  }

  private mutating func note(_ hash: UInt64) {
    let index = Int(hash >> UInt64(64 - Self.bits))
    let rank = UInt8(min(64 - Self.bits, (hash << UInt64(Self.bits)).leadingZeroBitCount) + 1)
    if registers[index] < rank { registers[index] = rank }
  }

  private mutating func estimate() {
    registers = [UInt8](repeating: 0, count: 1 << Self.bits)
    for hash in exact { note(hash) }
    exact = []
  }

  /// Adds the hashes of another count.
  public mutating func merge(_ other: DistinctCount) {
    if registers.isEmpty, other.registers.isEmpty {
      exact.formUnion(other.exact)
      if exact.count > Self.exactBound { estimate() }
      return
    }
    if registers.isEmpty { estimate() }
    for hash in other.exact { note(hash) }
    for index in other.registers.indices where registers[index] < other.registers[index] {
      registers[index] = other.registers[index]
    }
  }

  /// The count, rounded to an integer.
  public var count: Int {
    guard !registers.isEmpty else { return exact.count }
    let (m, maximum) = (Double(registers.count), 64 - Self.bits)
    var counts = [Double](repeating: 0, count: maximum + 2)
    for rank in registers { counts[Int(rank)] += 1 }
    var sum = m * Self.tau(1 - counts[maximum + 1] / m)
    for rank in stride(from: maximum, through: 1, by: -1) { sum = (sum + counts[rank]) / 2 }
    sum += m * Self.sigma(counts[0] / m)
    return Int((m * m / (2 * log(2) * sum)).rounded())
  }

  private static func sigma(_ share: Double) -> Double {
    guard share < 1 else { return .infinity }
    var (x, y, z, last) = (share, 1.0, share, -1.0)
    while z != last {
      x *= x
      last = z
      z += x * y
      y += y
    }
    return z
  }

  private static func tau(_ share: Double) -> Double {
    guard share > 0, share < 1 else { return 0 }
    var (x, y, z, last) = (share, 1.0, 1 - share, -1.0)
    while z != last {
      x = x.squareRoot()
      last = z
      y /= 2
      z -= (1 - x) * (1 - x) * y
    }
    return z / 3
  }
}
