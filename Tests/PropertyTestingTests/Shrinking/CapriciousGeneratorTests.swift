// SPDX-License-Identifier: GPL-3.0-or-later
import Synchronization
import Testing

@testable import PropertyTesting

@Suite("A generator that does not keep to its choices")
struct CapriciousGeneratorTests {
  /// Decides by what it was asked before, which no generator should.
  private final class Whim: Sendable {
    private let state: Mutex<UInt64>

    init(_ seed: UInt64) { state = Mutex(seed) }

    func next(below bound: Int) -> Int {
      state.withLock { state in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % bound
      }
    }
  }

  private indirect enum Tree: Sendable {
    case leaf(Int)
    case node([Tree])

    var sum: Int {
      switch self {
      case .leaf(let value): value
      case .node(let trees): trees.reduce(0) { $0 &+ $1.sum }
      }
    }
  }

  private static func trees(_ whim: Whim, depth: Int) -> Gen<Tree> {
    Gen<Tree>({ draws in
      if depth == 0 || whim.next(below: 3) == 0 {
        return .leaf(try draws.draw(.integers(in: 0...(10 + whim.next(below: 50)))))
      }
      if whim.next(below: 5) == 0 { _ = try draws.draw(.doubles()) }
      let count = whim.next(below: 4)
      return .node(try draws.draw(.arrays(of: trees(whim, depth: depth - 1), count: 0...count)))
    })
  }

  @Test("is reported, as flaky or with a case, and never ends the process", arguments: 0..<60 as Range<UInt64>)
  func survives(seed: UInt64) throws {
    let whim = Whim(seed)
    var settings = CheckSettings()
    settings.seed = seed
    settings.cases = 2000
    settings.shrinkLimit = 2000
    let report = try search(Gen.arrays(of: Self.trees(whim, depth: 4)), .integers(in: 0...9), settings: settings) {
      trees, digit in
      try claim(trees.reduce(0) { $0 &+ $1.sum } + digit < 60, "large")
    }
    #expect(report.outcome != .held)
  }
}
