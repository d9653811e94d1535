// SPDX-License-Identifier: GPL-3.0-or-later
@testable import PropertyTesting
import Testing

@Suite("Every generator")
struct GeneratorFuzzTests {
  @Test("keeps its promise, and gives the same value and tape when its tape is read back", arguments: Gallery.all)
  func replay(_ specimen: Specimen) throws {
    var draws = try Draws(seed: 7)
    for _ in 0..<200 {
      let original = try specimen.random(&draws)
      #expect(original.isLegal, "\(original.value)")
      #expect(try specimen.replay(original.tape, &draws) == original)
      let isFaithful = draws.isFaithfulReplay
      #expect(isFaithful, "\(original.value)")
    }
  }

  @Test("makes of any tape something that it could have drawn, or discards it", arguments: Gallery.all)
  func mutants(_ specimen: Specimen) throws {
    var draws = try Draws(seed: 11)
    var kept = 0
    for _ in 0..<20 {
      for mutant in try specimen.random(&draws).tape.mutants(&draws) {
        guard let sighting = try specimen.replay(mutant, &draws) else { continue }
        kept += 1
        guard sighting.isLegal else {
          Issue.record("\(specimen.testDescription) made \(sighting.value) of \(mutant)")
          return
        }
        let again = try specimen.replay(sighting.tape, &draws)
        guard again == sighting, draws.isFaithfulReplay else {
          Issue.record("\(specimen.testDescription): \(sighting) reads back as \(String(describing: again))")
          return
        }
      }
    }
    #expect(kept > 0)
  }

  @Test("gives its simplest value for an empty tape, and nothing simpler than that", arguments: Gallery.all)
  func simplest(_ specimen: Specimen) throws {
    var draws = try Draws(seed: 13)
    let simplest = try specimen.replay(Tape(), &draws)
    for entry in simplest?.tape.entries ?? [] where entry.tag.isChoice { #expect(entry.distance == 0) }
    #expect(simplest?.isLegal ?? true)
  }

  @Test(
    "that can make nothing says why",
    arguments: [
      ("elements", Gen<Int>.elements(of: [Int]())), ("weighted", .oneOf(weighted: [(0, .just(1))])),
      ("impossible", .impossible("no reason")), ("integers(in: 5..<5)", .integers(in: 5..<5)),
    ])
  func impossible(_ name: String, _ generator: Gen<Int>) throws {
    var draws = try Draws(seed: 1)
    draws.begin()
    do {
      _ = try draws.draw(generator)
      Issue.record("\(name) made something of nothing")
    } catch Discard.impossible(let reason) {
      #expect(!reason.isEmpty)
    }
  }
}
