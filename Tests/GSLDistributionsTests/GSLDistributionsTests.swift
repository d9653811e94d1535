// SPDX-License-Identifier: GPL-3.0-or-later
import CGSL
import GSLDistributions
@testable import PropertyTesting
import Testing

@Suite("GSL on the tape")
struct GSLChoiceTests {
  /// A distribution with the rule that all its values keep.
  struct Specimen: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let generator: Gen<Double>
    let isLegal: @Sendable (Double) -> Bool

    @safe
    init(
      _ name: String, _ draw: @escaping @Sendable (UnsafeMutablePointer<gsl_rng>) -> Double,
      _ isLegal: @escaping @Sendable (Double) -> Bool
    ) {
      (testDescription, generator, self.isLegal) = (name, GSLChoiceTests.sampled(draw), isLegal)
    }
  }

  static let specimens = [
    Specimen("uniform", { unsafe gsl_ran_flat($0, 3, 5) }) { (3.0..<5).contains($0) },
    Specimen("gaussian", { unsafe 5 + gsl_ran_gaussian($0, 2) }) { abs($0 - 5) < 20 },
    Specimen("gaussian by ziggurat", { unsafe gsl_ran_gaussian_ziggurat($0, 1) }) { $0.isFinite },
    Specimen("gamma", { unsafe gsl_ran_gamma($0, 2.5, 3) }) { $0 > 0 },
    Specimen("gamma below 1", { unsafe gsl_ran_gamma($0, 0.2, 3) }) { $0 >= 0 },
    Specimen("beta", { unsafe gsl_ran_beta($0, 0.3, 7) }) { (0...1).contains($0) },
    Specimen("weibull", { unsafe gsl_ran_weibull($0, 10, 1.5) }) { $0 >= 0 && $0.isFinite },
    Specimen("poisson", { unsafe Double(gsl_ran_poisson($0, 3)) }) { $0 >= 0 },
    Specimen("poisson, many", { unsafe Double(gsl_ran_poisson($0, 5_000)) }) { $0 >= 0 },
    Specimen("negative binomial", { unsafe Double(gsl_ran_negative_binomial($0, 0.2, 2.5)) }) { $0 >= 0 },
  ]

  @safe
  private static func sampled(_ draw: @escaping @Sendable (UnsafeMutablePointer<gsl_rng>) -> Double) -> Gen<Double> {
    Gen({ draws in try unsafe draws.withGSLGenerator(draw) })
  }

  /// The value that a generator makes of a tape.
  private static func value(of generator: Gen<Double>, on choices: ChoiceSequence = ChoiceSequence()) throws -> Double {
    var draws = ChoiceSource(seed: 3)
    draws.begin(reading: choices)
    return try draws.draw(generator)
  }

  @Test("draws possible values, and the same from the same tape", arguments: specimens)
  func replays(_ specimen: Specimen) throws {
    var draws = ChoiceSource(seed: 7)
    for _ in 0..<200 {
      draws.begin()
      let value = try draws.draw(specimen.generator)
      #expect(specimen.isLegal(value), "\(value)")
      let choices = draws.choices
      #expect(try Self.value(of: specimen.generator, on: choices) == value)
    }
  }

  @Test("ends on tapes of zeros, of ones and on empty ones, for every distribution", arguments: specimens)
  func terminates(_ specimen: Specimen) throws {
    for count in [0, 1, 2, 3, 10, 1000] {
      for word in [UInt64(0), 1, UInt64(UInt32.max), 1 << 31, 1 << 30] {
        let entry = ChoiceEntry(tag: .word, value: word, lower: 0, upper: UInt64(UInt32.max), target: 0)
        let words = Array(repeating: entry, count: count)
        let choices = ChoiceSequence([.open(ChoiceEntry.anyLabel)] + words + [.close])
        let value = try Self.value(of: specimen.generator, on: choices)
        #expect(specimen.isLegal(value), "\(value)")
      }
    }
  }

  @Test("shrinks to the smallest value or the middle")
  func simplest() throws {
    #expect(try Self.value(of: Self.sampled { unsafe gsl_ran_flat($0, 3, 5) }) == 3)
    #expect(try Self.value(of: Self.sampled { unsafe Double(gsl_ran_poisson($0, 3)) }) == 0)
    #expect(try Self.value(of: .gaussians(mean: 100, deviation: 15)) == 100)
  }

  @Test("gives samples of the distribution")
  func faithful() throws {
    let generators = [
      Gen<Double>.gaussians(mean: 10, deviation: 2), Self.sampled({ unsafe 10 + gsl_ran_gaussian($0, 2) }),
    ]
    for generator in generators {
      let deviations = try generator.samples(20_000, seed: 4).map { $0 - 10 }
      // Five standard errors of the mean and of the variance of 20 000 samples.
      #expect(abs(deviations.reduce(0, +) / 20_000) < 0.071)
      #expect(abs(deviations.reduce(0) { $0 + $1 * $1 } / 20_000 - 4) < 0.2)
      #expect(deviations.allSatisfy { abs($0) < 2 * 8.3 })
    }
  }

  @Test("writes one word on the tape for each that GSL reads, in one span")
  func words() throws {
    var draws = ChoiceSource(seed: 5)
    draws.begin()
    let read = try unsafe draws.withGSLGenerator { rng in (0..<5).map { _ in unsafe gsl_rng_get(rng) } }
    let choices = draws.choices
    #expect(choices.entries.dropFirst().dropLast().map { UInt($0.value) } == read)
    #expect(choices.entries.map(\.tag) == [.open, .word, .word, .word, .word, .word, .close])
  }

  @Test("discards a case that needs more words than a tape holds, after GSL has finished")
  func exhausted() throws {
    var draws = ChoiceSource(seed: 6)
    draws.begin()
    #expect(throws: Discard.tooLarge) {
      _ = try unsafe draws.withGSLGenerator { rng in
        for _ in 0..<100_000 { _ = unsafe gsl_ran_gaussian(rng, 1) }
      }
    }
  }

  @Test(
    "a distribution that does not exist says why",
    arguments: [
      (Double.nan, 1.0, "gaussians(mean: nan, deviation: 1.0)"), (0, -1, "gaussians(mean: 0.0, deviation: -1.0)"),
      (0, .infinity, "gaussians(mean: 0.0, deviation: inf)"),
    ])
  func impossible(mean: Double, deviation: Double, call: String) throws {
    #expect(throws: Discard.impossible("\(call) needs finite numbers, the second at least 0")) {
      try Gen<Double>.gaussians(mean: mean, deviation: deviation).samples(1)
    }
  }
}
