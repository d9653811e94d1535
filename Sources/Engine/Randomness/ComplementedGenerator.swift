// SPDX-License-Identifier: GPL-3.0-or-later
internal import CGSL

/// Generator types of GSL that draw the complements of another type's outputs, max + min - x, so that all of GSL's
/// distributions can draw from them. A state is the address of the other type and the state of that one.
enum ComplementedGenerator {
  /// The bytes of the address, padded so that the other state stays aligned.
  private static let header = 16

  /// The types by the addresses of those that they complement. Generators refer to them, so they are never freed.
  nonisolated(unsafe) private static let types: [Int: UnsafeMutablePointer<gsl_rng_type>] = {
    var types: [Int: UnsafeMutablePointer<gsl_rng_type>] = unsafe [:]
    var index = 0
    while let base = unsafe assay_rng_type_at(GSLGenerator.types, index) {
      let type = UnsafeMutablePointer<gsl_rng_type>.allocate(capacity: 1)
      unsafe type.initialize(to: complement(of: base.pointee))
      unsafe types[Int(bitPattern: base)] = type
      index += 1
    }
    return unsafe types
  }()

  /// A generator that goes on from the state of another with the complements; to be freed by `gsl_rng_free`.
  static func copy(of generator: UnsafePointer<gsl_rng>) -> UnsafeMutablePointer<gsl_rng>? {
    guard let base = unsafe generator.pointee.type, let type = unsafe types[Int(bitPattern: base)],
      let state = unsafe malloc(type.pointee.size), let memory = unsafe malloc(MemoryLayout<gsl_rng>.size)
    else { return nil }
    unsafe state.storeBytes(of: base, as: UnsafePointer<gsl_rng_type>.self)
    unsafe (state + header).copyMemory(from: generator.pointee.state, byteCount: base.pointee.size)
    let copy = unsafe memory.bindMemory(to: gsl_rng.self, capacity: 1)
    unsafe copy.initialize(to: gsl_rng(type: type, state: state))
    return unsafe copy
  }

  private static func complemented(_ state: UnsafeMutableRawPointer) -> UnsafePointer<gsl_rng_type> {
    unsafe state.load(as: UnsafePointer<gsl_rng_type>.self)
  }

  private static func complement(of base: gsl_rng_type) -> gsl_rng_type {
    var type = unsafe base
    unsafe type.size = base.size + header
    unsafe type.set = { state, seed in
      guard let state = unsafe state else { return }
      unsafe ComplementedGenerator.complemented(state).pointee.set(state + ComplementedGenerator.header, seed)
    }
    unsafe type.get = { state in
      guard let state = unsafe state else { return 0 }
      let type = unsafe ComplementedGenerator.complemented(state).pointee
      return unsafe type.max &- (type.get(state + ComplementedGenerator.header) &- type.min)
    }
    unsafe type.get_double = { state in
      guard let state = unsafe state else { return 0 }
      let type = unsafe ComplementedGenerator.complemented(state).pointee
      // Of 2^32 outputs the numbers are again the multiples of 2^-32 below 1; of others, 1 becomes the number below it.
      return unsafe type.max &- type.min == 0xffff_ffff
        ? Double(type.max &- type.get(state + ComplementedGenerator.header)) * 0x1p-32
        : min(1 - type.get_double(state + ComplementedGenerator.header), 1.0.nextDown)
    }
    return unsafe type
  }
}
