// SPDX-License-Identifier: GPL-3.0-or-later
import CGSL
import Randomness
import TestSupport
import Testing

@Suite("GSL's generators as Swift values")
struct GSLGeneratorTests {
  @Test("mt19937 with seed 4357 begins as GSL's own documentation test does")
  func mersenneTwister() throws {
    var generator = try GSLGenerator(named: GSLGenerator.defaultName, seed: 4357)
    let uniforms = (0..<3).map { _ in Double(generator.next()) / 4294967296 }
    #expect(uniforms == [0.999741748906672, 0.16290987539105117, 0.28261780529282987])
  }

  @Test("the property engine's own words are those of GSL's default generator", arguments: [1, 4357, UInt32.max])
  func ownWords(seed: UInt32) throws {
    var generator = try GSLGenerator(named: GSLGenerator.defaultName, seed: seed)
    var words = MersenneTwister(seed: seed)
    for _ in 0..<2000 { try #require(words.next() == generator.next()) }
    #expect(GSLGenerator.defaultName == MersenneTwister.name)
  }

  @Test("seed 0 is the generator's default seed")
  func seedZero() throws {
    var zero = try GSLGenerator(named: "mt19937", seed: 0)
    var standard = try GSLGenerator(named: "mt19937", seed: 4357)
    #expect(zero.next() == standard.next())
  }

  @Test("filling a buffer gives the same words as asking one by one", arguments: GSLGenerator.names)
  func fill(name: String) throws {
    var single = try GSLGenerator(named: name, seed: 7)
    var batched = try GSLGenerator(named: name, seed: 7)
    var words = [UInt32](repeating: 0, count: 100)
    unsafe words.withUnsafeMutableBufferPointer { unsafe batched.fill($0) }
    #expect(words == (0..<100).map { _ in single.next() })
  }

  @Test("reseeding is the same as starting again", arguments: ["mt19937", "ranlxd2", "uni"])
  func reseed(name: String) throws {
    var used = try GSLGenerator(named: name, seed: 1)
    for _ in 0..<1000 { _ = used.next() }
    try used.reseed(2)
    var fresh = try GSLGenerator(named: name, seed: 2)
    #expect((0..<10).map { _ in used.next() } == (0..<10).map { _ in fresh.next() })
  }

  @Test("an unknown generator lists the known ones")
  func unknown() throws {
    let error = #expect(throws: RandomnessError.self) { _ = try GSLGenerator(named: "mt19973", seed: 1) }
    #expect(error == .unknownGenerator(name: "mt19973", known: GSLGenerator.names))
    let description = try #require(error).description
    #expect(description.contains("taus2") && description.contains("gfsr4"))
  }

  @Test(
    "a seed that is a fixed point of the recurrence is refused",
    arguments: [("minstd", 2_147_483_647), ("gfsr4", 2_147_483_648), ("borosh13", 2_147_483_648)] as [(String, UInt32)])
  func degenerateSeed(name: String, seed: UInt32) {
    #expect(throws: RandomnessError.degenerateSeed(generator: name, seed: seed)) {
      _ = try GSLGenerator(named: name, seed: seed)
    }
  }

  @Test(
    "the sixteen parts of the word range are equally frequent, high and low bits alike", arguments: GSLGenerator.names)
  func uniformity(name: String) throws {
    var generator = try GSLGenerator(named: name, seed: 20_250_601)
    var high = [Int](repeating: 0, count: 16)
    var low = high
    for _ in 0..<16_000 {
      let word = generator.next()
      high[Int(word >> 28)] += 1
      low[Int(word & 15)] += 1
    }
    let flat = [Double](repeating: 1 / 16, count: 16)
    #expect(ChiSquareTest(observed: high, probabilities: flat).pValue > level / 62)
    // GSL seeds r250 from a congruential generator whose low bits have short periods, and r250 keeps them.
    let lowIsUniform = ChiSquareTest(observed: low, probabilities: flat).pValue > level / 62
    #expect(lowIsUniform == (name != "r250"))
  }
}

@Suite("Cutting words from generators of any range")
struct WordPlanTests {
  private func type(_ low: UInt, _ high: UInt) -> gsl_rng_type {
    var type = unsafe gsl_rng_type()
    unsafe type.min = low
    unsafe type.max = high
    return unsafe type
  }

  @Test(
    "chunks fill the word, every chunk comes from equally many outputs, and under 1 in 4 is refused",
    arguments: [
      (1, 0xffff_ffff), (2, 0xffff_fffe), (1, 0x7fff_fffe), (0, 0x7fff_ffff), (0, 0xff_ffff), (0, 0x100_0000),
      (0, 0x3f_ffff), (0, 0x7ffe), (0, 1_000_000_000), (0, UInt.max), (0, 0x1_ffff_ffff), (5, 5 + 9999),
    ] as [(UInt, UInt)])
  func plan(low: UInt, high: UInt) {
    var type = unsafe type(low, high)
    let plan = unsafe assay_word_plan_of(&type)
    let outputs = Double(high - low) + 1
    let used = Double(plan.bucket) * Double(UInt64(1) << UInt64(plan.bits))
    #expect(plan.calls * plan.bits >= 32)
    #expect(used <= outputs && used > outputs * 3 / 4)
  }

  @Test("2^32 values are read as they come")
  func direct() {
    var type = unsafe type(0, 0xffff_ffff)
    let plan = unsafe assay_word_plan_of(&type)
    #expect(plan.calls == 1 && plan.bits == 32 && plan.bucket == 1)
  }

  @Test("a generator of 31 values gives each 4-bit chunk once, and refuses the odd ones out")
  func enumeration() throws {
    var type = unsafe type(3, 33)
    let plan = unsafe assay_word_plan_of(&type)
    var chunks = [Int](repeating: 0, count: 16)
    for output in 3...33 {
      let chunk = UInt64(output - 3) / plan.bucket
      if chunk >> UInt64(plan.bits) == 0 { chunks[Int(chunk)] += 1 }
    }
    #expect(plan.bits == 4 && plan.calls == 8)
    #expect(chunks == [Int](repeating: 1, count: 16))
  }

  @Test("words follow from a scripted generator's outputs, top bits first, the refused ones skipped")
  func scripted() {
    // 24 outputs 0...23: four bits each, one output per chunk, 16 and above refused.
    var type = unsafe type(0, 23)
    unsafe type.get = { state in
      guard let counter = unsafe state?.assumingMemoryBound(to: UInt.self) else { return 0 }
      defer { unsafe counter.pointee = (counter.pointee + 1) % 24 }
      return unsafe counter.pointee
    }
    var counter: UInt = 0
    var words: [UInt32] = [0, 0, 0]
    unsafe withUnsafeMutablePointer(to: &counter) { counter in
      unsafe withUnsafePointer(to: &type) { type in
        var generator = unsafe gsl_rng(type: type, state: UnsafeMutableRawPointer(counter))
        unsafe assay_fill_words(&generator, &words, 3)
      }
    }
    #expect(words == [0x0123_4567, 0x89ab_cdef, 0x0123_4567])
  }
}

@Suite("The GNU Scientific Library that is linked")
struct GSLLibraryTests {
  @Test("says its version")
  func version() {
    #expect(GSLLibrary.version.wholeMatch(of: /\d+\.\d+(\.\d+)?/) != nil)
  }

  @Test("every generator is tried, and draws what it always drew")
  func trials() {
    let trials = GSLLibrary.trials()
    #expect(trials.map(\.name) == GSLGenerator.names)
    for (name, trial) in trials { #expect(trial == .asKnown, "\(name)") }
  }
}
