// SPDX-License-Identifier: GPL-3.0-or-later
@testable import PropertyTesting

extension Gallery {
  @Specimens static var numbers: [Specimen] {
    real("doubles", .doubles(), -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude)
    real("doubles(in: 0...1)", .doubles(in: 0...1), 0...1)
    real("doubles(in: 10.5...20.5)", .doubles(in: 10.5...20.5), 10.5...20.5)
    real("doubles(in: -7.75 ... -7.5)", .doubles(in: -7.75 ... -7.5), -7.75 ... -7.5)
    real("doubles(in: 0.3...0.31)", .doubles(in: 0.3...0.31), 0.3...0.31)
    real("doubles(in: 1e20...1e30)", .doubles(in: 1e20...1e30), 1e20...1e30)
    real("doubles(in: -1...0)", .doubles(in: -1...0.0), -1...0.0)
    real("doubles(in: -0...0)", .doubles(in: -0.0...0), -0.0...0)
    real("doubles(in: 0...-0)", .doubles(in: 0 ... -0.0), -0.0...0)
    real("doubles(in: pi...pi)", .doubles(in: Double.pi...Double.pi), Double.pi...Double.pi)
    real("doubles, subnormal", .doubles(in: subnormal), subnormal)
    real("doubles(in: 3...infinity)", .doubles(in: 3 ... .infinity), 3 ... .infinity)
    Specimen("doubles(allowing: .nan)", .doubles(in: 2...3, allowing: .nan)) { (2...3).contains($0) || $0.isNaN }
    Specimen("doubles(allowing:)", .doubles(in: -2...2, allowing: [.nan, .infinity])) {
      (-2...2).contains($0) || !$0.isFinite
    }
    Specimen("floats", .floats()) { $0.isFinite }
    Specimen("floats(in:)", .floats(in: 0.1...0.7)) { (0.1...0.7).contains($0) }
    Specimen("floats(allowing:)", .floats(in: 0...Float.greatestFiniteMagnitude, allowing: .infinity)) {
      $0 >= 0 || $0 == -.infinity
    }
    Specimen("gaussians", .gaussians(mean: 100, deviation: 15)) { abs($0 - 100) < 15 * 8.3 }
    integers
  }

  @Specimens private static var integers: [Specimen] {
    Specimen("integers", Gen<Int>.integers()) { _ in true }
    Specimen("integers(in:)", Gen<Int>.integers(in: -7...1_000_000)) { (-7...1_000_000).contains($0) }
    Specimen("integers, towards", Gen<Int16>.integers(in: -500...500, towards: 77)) { (-500...500).contains($0) }
    Specimen("integers, UInt8", Gen<UInt8>.integers()) { _ in true }
    Specimen("integers, UInt64", Gen<UInt64>.integers(in: 1 << 63 ... .max, constants: [1 << 63 + 12])) {
      $0 >= 1 << 63
    }
    wide("UInt128", UInt128.min...UInt128.max)
    wide("Int128", Int128.min...Int128.max)
    wide("Int128, negative", Int128.min...(-1 << 70))
    wide("Int128, one high word", Int128(-5)...5)
    wide("UInt128, across", (UInt128(1) << 64 - 3)...(UInt128(1) << 64 + 3))
    wide("UInt128, single", (UInt128(1) << 100)...(UInt128(1) << 100))
    Specimen("closedRanges", Gen<ClosedRange<Int8>>.closedRanges()) { _ in true }
    Specimen("closedRanges(in:)", .closedRanges(in: 3...9)) { (3...9).contains($0.lowerBound) && $0.upperBound <= 9 }
    Specimen("ranges(in:)", .ranges(in: 3...9)) { (3...9).contains($0.lowerBound) && $0.upperBound <= 9 }
  }

  private static let subnormal = Double.leastNonzeroMagnitude...Double.leastNormalMagnitude / 8

  private static func wide<Value: FixedWidthInteger & Sendable>(_ name: String, _ range: ClosedRange<Value>) -> Specimen
  {
    Specimen("integers, \(name)", Gen<Value>.integers(in: range)) { range.contains($0) }
  }

  private static func real(_ name: String, _ generator: Gen<Double>, _ range: ClosedRange<Double>) -> Specimen {
    Specimen(name, generator) { number in
      range.lowerBound.isTotallyOrdered(belowOrEqualTo: number)
        && number.isTotallyOrdered(belowOrEqualTo: range.upperBound)
    }
  }
}
