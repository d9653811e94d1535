// SPDX-License-Identifier: GPL-3.0-or-later
import Testing

@testable import PropertyTesting

/// A read of a register, a write or an exchange, with what it returned.
private struct RegisterEvent: BranchEvent, Sendable, CustomDebugStringConvertible {
  let written: Int?
  let read: Int?
  var invoked = 0
  var returned = 0

  func happen(to model: inout Int) -> Bool {
    if let read, read != model { return false }
    if let written { model = written }
    return true
  }

  var debugDescription: String {
    "\(invoked)-\(returned) reads \(read.map(String.init) ?? "-") writes \(written.map(String.init) ?? "-")"
  }
}

@Suite("The linearizability of a history")
struct LinearizabilityTests {
  /// Two or three branches with up to three events each, laid out in time at random.
  private static let histories = Gen<[[RegisterEvent]]>(span: .custom) { draws in
    let value = Gen<Int?>.optionals(of: .integers(in: 0...2))
    let event = zip(value, value).map { RegisterEvent(written: $0, read: $1) }
    var branches = try draws.draw(.arrays(of: .arrays(of: event, count: 1...3), count: 2...3))
    var remaining = branches.map { 2 * $0.count }
    var time = 0
    while remaining.contains(where: { $0 > 0 }) {
      let live = remaining.indices.filter { remaining[$0] > 0 }
      let branch = try draws.draw(.elements(of: live))
      let index = branches[branch].count - (remaining[branch] + 1) / 2
      time += 1
      if remaining[branch].isMultiple(of: 2) {
        branches[branch][index].invoked = time
      } else {
        branches[branch][index].returned = time
      }
      remaining[branch] -= 1
    }
    return branches
  }

  /// Tries every order of all events.
  private static func isLinearizable(_ branches: [[RegisterEvent]]) -> Bool {
    func extend(_ left: [RegisterEvent], _ model: Int) -> Bool {
      left.isEmpty
        || left.indices.contains { index in
          var model = model
          let event = left[index]
          guard left.allSatisfy({ $0.returned >= event.invoked }), event.happen(to: &model) else { return false }
          var rest = left
          rest.remove(at: index)
          return extend(rest, model)
        }
    }
    return extend(branches.flatMap { $0 }, 0)
  }

  @Test("is what trying every order of the events says")
  func bruteForce() throws {
    var settings = CheckSettings()
    settings.cases = 20_000
    let report = try search(Self.histories, settings: settings) { branches in
      let order = Interleavings(branches).explanation(from: 0)
      try claim((order != nil) == Self.isLinearizable(branches), "found \(String(describing: order))")
      guard let order else { return }
      var positions = branches.map { _ in 0 }
      var model = 0
      var latest = 0
      for branch in order {
        let event = branches[branch][positions[branch]]
        positions[branch] += 1
        try claim(event.happen(to: &model), "the order found does not explain the history")
        try claim(event.returned > latest, "the order found goes back in time")
        latest = max(latest, event.invoked)
      }
      try claim(positions == branches.map(\.count), "the order found leaves events out")
    }
    #expect(report.outcome == .held)
  }

  @Test("is found and refuted often enough for the comparison to mean something")
  func balance() throws {
    var draws = try Draws(seed: 8)
    var counts = [true: 0, false: 0]
    for _ in 0..<2_000 {
      draws.begin()
      counts[Self.isLinearizable(try draws.draw(Self.histories)), default: 0] += 1
    }
    #expect(counts.values.allSatisfy { $0 > 300 })
  }

  @Test("needs every event to fit in every order before a program is run")
  func safety() {
    let write = RegisterEvent(written: 1, read: nil)
    let needsZero = RegisterEvent(written: nil, read: 0)
    #expect(Interleavings([[needsZero, write]]).allAllow(from: 0))
    #expect(!Interleavings([[write], [needsZero]]).allAllow(from: 0))
    #expect(Interleavings([[write], [write]]).allAllow(from: 0))
  }
}
