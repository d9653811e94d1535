// SPDX-License-Identifier: Apache-2.0
@testable import PropertyTesting
import Testing

@Suite("Every generator")
struct GeneratorFuzzTests {
  @Test("keeps its range, and gives the same value and tape when its tape is read back", arguments: Gallery.all)
  func replay(_ specimen: Specimen) throws {
    var draws = ChoiceSource(seed: 7)
    for _ in 0..<200 {
      let original = try specimen.random(&draws)
      #expect(original.isLegal, "\(original.value)")
      #expect(try specimen.replay(original.choices, &draws) == original)
      let isFaithful = draws.isFaithfulReplay
      #expect(isFaithful, "\(original.value)")
    }
  }

  @Test("makes a possible value of any tape, or discards it", arguments: Gallery.all)
  func mutants(_ specimen: Specimen) throws {
    var draws = ChoiceSource(seed: 11)
    var kept = 0
    for _ in 0..<20 {
      for mutant in try specimen.random(&draws).choices.mutants(&draws) {
        guard let sighting = try specimen.replay(mutant, &draws) else { continue }
        kept += 1
        guard sighting.isLegal else {
          Issue.record("\(specimen.testDescription) made \(sighting.value) of \(mutant)")
          return
        }
        let again = try specimen.replay(sighting.choices, &draws)
        guard again == sighting, draws.isFaithfulReplay else {
          Issue.record("\(specimen.testDescription): \(sighting) reads back as \(String(describing: again))")
          return
        }
      }
    }
    #expect(kept > 0)
  }

  @Test("gives its simplest value for an empty tape", arguments: Gallery.all)
  func simplest(_ specimen: Specimen) throws {
    var draws = ChoiceSource(seed: 13)
    let simplest = try specimen.replay(ChoiceSequence(), &draws)
    for entry in simplest?.choices.entries ?? [] where entry.tag.isChoice { #expect(entry.distance == 0) }
    #expect(simplest?.isLegal ?? true)
  }

  private static let nothing: [(generator: Gen<Void>, reason: String)] = [
    (Gen<Int>.elements(of: [Int]()).map { _ in }, "elements(of:) has nothing to choose from"),
    (.oneOf(weighted: [(0, .just(()))]), "oneOf(weighted:) has no generator of a weight above 0"),
    (.impossible("no reason"), "no reason"),
    (Gen<Int>.integers(in: 5..<5).map { _ in }, "integers(in: 5..<5) has nothing to choose from"),
    (
      Gen<[Int]>.subsets(of: [1, 2, 3], count: 4...5).map { _ in },
      "subsets(of:count:) needs 4 elements and has 3"
    ),
    (Gen<String>.strings(of: Alphabet(""), count: 1...3).map { _ in }, "strings(of:) has no symbols"),
    (Gen<Character>.characters(of: Alphabet("")).map { _ in }, "characters(of:) has no symbol of one character"),
  ]

  @Test("without any value reports why", arguments: nothing.indices)
  func impossible(index: Int) throws {
    let (generator, reason) = Self.nothing[index]
    #expect(throws: Discard.impossible(reason)) { try generator.samples(1) }
  }
}
