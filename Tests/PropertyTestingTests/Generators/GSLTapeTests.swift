// SPDX-License-Identifier: GPL-3.0-or-later
import CGSL
import Randomness
import Testing

@testable import PropertyTesting

@Suite("GSL on the tape")
struct GSLTapeTests {
  @Test("ends on tapes of zeros, of ones and of nothing, whatever the distribution", arguments: Gallery.samples)
  func terminates(_ specimen: Specimen) throws {
    var draws = try Draws(seed: 3)
    for count in [0, 1, 2, 3, 10, 1000] {
      for word in [UInt64(0), 1, UInt64(UInt32.max), 1 << 31, 1 << 30] {
        let entry = TapeEntry(tag: .word, value: word, lower: 0, upper: UInt64(UInt32.max), target: 0)
        let words = Array(repeating: entry, count: count)
        let tape = Tape([.open(TapeEntry.anyLabel)] + words + [.close])
        let sighting = try #require(try specimen.replay(tape, &draws))
        #expect(sighting.isLegal, "\(sighting.value)")
      }
    }
  }

  @Test("shrinks to the smallest value or the middle")
  func simplest() throws {
    var draws = try Draws(seed: 3)
    func simplest<Value>(_ generator: Gen<Value>) throws -> Value {
      draws.begin(reading: Tape())
      return try draws.draw(generator)
    }
    #expect(try simplest(.distribution(UniformDistribution(from: 3, to: 5))) == 3)
    #expect(try simplest(.distribution(GaussianDistribution(mean: 5, standardDeviation: 2))) == 5)
    #expect(try simplest(.distribution(LognormalDistribution(logMean: 0, logStandardDeviation: 2))) == 1)
    #expect(try simplest(.distribution(ExponentialDistribution(mean: 4))) == 0)
    #expect(try simplest(.distribution(PoissonDistribution(mean: 3))) == 0)
    #expect(try simplest(.distribution(BinomialDistribution(trials: 20, probability: 0.3))) <= 6)
    #expect(try simplest(.gaussians(mean: 100, deviation: 15)) == 100)
  }

  @Test("gives the samples that the distribution promises")
  func faithful() throws {
    var draws = try Draws(seed: 4)
    let generators = [
      Gen<Double>.gaussians(mean: 10, deviation: 2),
      .distribution(try GaussianDistribution(mean: 10, standardDeviation: 2)),
    ]
    for generator in generators {
      var (sum, squares) = (0.0, 0.0)
      for _ in 0..<20_000 {
        draws.begin()
        let deviation = try draws.draw(generator) - 10
        sum += deviation
        squares += deviation * deviation
      }
      // Five standard errors of the mean and of the variance of 20 000 samples.
      #expect(abs(sum / 20_000) < 0.071)
      #expect(abs(squares / 20_000 - 4) < 0.2)
    }
  }

  @Test("writes one word of the tape for each that GSL reads, in one span")
  func words() throws {
    var draws = try Draws(seed: 5)
    draws.begin()
    let read = try unsafe draws.withGSLGenerator { rng in (0..<5).map { _ in unsafe gsl_rng_get(rng) } }
    let tape = draws.tape
    #expect(tape.entries.dropFirst().dropLast().map { UInt($0.value) } == read)
    #expect(tape.entries.map(\.tag) == [.open, .word, .word, .word, .word, .word, .close])
  }

  @Test("discards a case that asks for more words than a tape holds, after letting GSL come to an end")
  func exhausted() throws {
    var draws = try Draws(seed: 6)
    draws.begin()
    #expect(throws: Discard.tooLarge) {
      _ = try unsafe draws.withGSLGenerator { rng in
        for _ in 0..<100_000 { _ = unsafe gsl_ran_gaussian(rng, 1) }
      }
    }
  }

  @Test("refuses a gaussian that there is not", arguments: [(Double.nan, 1.0), (0, -1), (0, .infinity)])
  func refused(_ mean: Double, _ deviation: Double) throws {
    var draws = try Draws(seed: 7)
    draws.begin()
    #expect(throws: Discard.self) { _ = try draws.draw(.gaussians(mean: mean, deviation: deviation)) }
  }
}
