// SPDX-License-Identifier: GPL-3.0-or-later
public import Foundation

extension Gen {
  /// Arrays of bytes.
  ///
  /// - Parameter count: How many there are.
  /// - Returns: A generator of arrays.
  public static func bytes(count: ClosedRange<Int> = 0...20) -> Gen<[UInt8]> where Value == [UInt8] {
    arrays(of: Gen<UInt8>.integers(), count: count)
  }

  /// Data of bytes.
  ///
  /// - Parameter count: How many bytes there are.
  /// - Returns: A generator of data.
  public static func data(count: ClosedRange<Int> = 0...20) -> Gen<Data> where Value == Data {
    Gen<[UInt8]>.bytes(count: count).map { Data($0) }
  }
}

extension Gen where Value == UUID {
  /// UUIDs of any version, sometimes all zeros or all ones. Counterexamples shrink towards all zeros.
  public static func uuids() -> Gen<UUID> {
    Gen<UInt128>.integers().map { bits in
      unsafe withUnsafeBytes(of: bits.bigEndian) { bytes in unsafe UUID(uuid: bytes.load(as: uuid_t.self)) }
    }
  }
}
