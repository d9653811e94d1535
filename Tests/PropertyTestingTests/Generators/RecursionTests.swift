// SPDX-License-Identifier: GPL-3.0-or-later
import Testing

@testable import PropertyTesting

@Suite("Recursive generators")
struct RecursionTests {
  @Test("make leaves, deep values and large ones")
  func variety() throws {
    var draws = try Draws(seed: 3)
    var depths: Set<Int> = []
    var largest = 0
    for _ in 0..<500 {
      draws.begin()
      let tree = try draws.draw(Gallery.tree)
      depths.insert(tree.depth)
      largest = max(largest, tree.branches)
    }
    #expect(depths == [0, 1, 2, 3, 4])
    #expect(largest == 30)
  }

  @Test("give all their values spans of one label, so that a part can take the place of the whole")
  func hoisting() throws {
    var draws = try Draws(seed: 5)
    let label = SpanKind.recursion.label(Gallery.Tree.self)
    var hoisted = 0
    for _ in 0..<100 {
      draws.begin()
      let whole = try draws.draw(Gallery.tree)
      let tape = draws.tape
      let matches = tape.matches()
      for index in tape.entries.indices where index > 0 && tape.entries[index].value == label {
        guard tape.entries[index].tag == .open else { continue }
        let part = Array(tape.entries[index...matches[index]])
        draws.begin(reading: Tape(part))
        #expect(try draws.draw(Gallery.tree).depth < whole.depth)
        let rest = draws.tape.entries
        #expect(rest.map(\.value) == part.map(\.value))
        hoisted += 1
      }
    }
    #expect(hoisted > 100)
  }

  @Test("of depth 0 make leaves only")
  func shallow() throws {
    var draws = try Draws(seed: 1)
    let generator = Gen<[Int]>.recursive(.just([]), depth: 0) { smaller in smaller.map { $0 + [1] } }
    for _ in 0..<20 {
      draws.begin()
      #expect(try draws.draw(generator).isEmpty)
    }
  }
}

@Suite("Weighted choice")
struct WeightedChoiceTests {
  @Test("chooses in proportion to the weights")
  func proportion() throws {
    let generator = Gen<Int>.oneOf(weighted: [(1, .just(0)), (2, .just(1)), (7, .just(2))])
    var draws = try Draws(seed: 2)
    var counts = [0, 0, 0]
    for _ in 0..<10_000 {
      draws.begin()
      counts[try draws.draw(generator)] += 1
    }
    // Five standard deviations of a binomial count of 10 000.
    #expect(abs(counts[0] - 1000) < 150)
    #expect(abs(counts[1] - 2000) < 200)
  }

  @Test("takes weights as large as integers get")
  func huge() throws {
    let generator = Gen<Int>.oneOf(weighted: [(.max, .just(0)), (.max, .just(1)), (1, .just(2))])
    var draws = try Draws(seed: 2)
    var seen: Set<Int> = []
    for _ in 0..<100 {
      draws.begin()
      seen.insert(try draws.draw(generator))
    }
    #expect(seen.isSuperset(of: [0, 1]))
  }
}
