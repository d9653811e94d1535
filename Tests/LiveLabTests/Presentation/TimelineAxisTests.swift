// SPDX-License-Identifier: GPL-3.0-or-later
import LiveCore
import Testing

@testable import LiveLab

@Suite("The axis of a timeline's picture")
struct TimelineAxisTests {
  private static func at(_ seconds: Int64) -> Instant { .zero + .seconds(seconds) }

  @Test("a short session is drawn evenly from end to end")
  func even() {
    let axis = TimelineAxis(moments: [Self.at(10), Self.at(20)], end: Self.at(40), left: 100, width: 400)
    #expect(axis.folds.isEmpty && axis.stretches.count == 1)
    #expect([0, 10, 40].map { axis.x(of: Self.at($0)) } == [100, 200, 500])
    #expect(axis.right == 500 && axis.scale == 10)
  }

  @Test("an hour's silence is folded, four seconds left on either side of it")
  func folded() throws {
    let moments = [Self.at(2_000), Self.at(2_030)]
    let axis = TimelineAxis(moments: moments, end: Self.at(3_600), left: 0, width: 1_000)
    #expect(axis.folds.map(\.length) == [.seconds(1_992), .seconds(1_562)])
    #expect(axis.stretches.map(\.from) == [0, 1_996, 3_596].map(Self.at))
    #expect(axis.stretches.map(\.to) == [4, 2_034, 3_600].map(Self.at))
    #expect(abs(axis.right - 1_000) < 1e-9)
    #expect(axis.isFolded(Self.at(1_000)) && !axis.isFolded(Self.at(2_015)))
    let fold = try #require(axis.folds.first)
    #expect(axis.x(of: Self.at(1_000)) == fold.x)
    #expect(abs(axis.x(of: Self.at(2_030)) - axis.x(of: Self.at(2_000)) - 30 * axis.scale) < 1e-9)
  }

  @Test("time never goes back on it, whatever happened when")
  func monotone() {
    let moments = (0..<200).map { Self.at(($0 * $0 * 37) % 36_000) }
    let axis = TimelineAxis(moments: moments, end: Self.at(36_000), left: 0, width: 1_000)
    let places = stride(from: 0, through: 36_000, by: 7).map { axis.x(of: Self.at($0)) }
    #expect(zip(places, places.dropFirst()).allSatisfy { $0 <= $1 })
    #expect(places.last.map { $0 <= axis.right } == true)
    for (fold, stretch) in zip(axis.folds, axis.stretches.dropFirst()) { #expect(fold.x < stretch.x) }
  }

  @Test("ticks are whole seconds that stand apart, and every stretch with room has one")
  func ticks() {
    let axis = TimelineAxis(moments: [Self.at(2_000), Self.at(2_030)], end: Self.at(3_600), left: 0, width: 1_000)
    let ticks = axis.ticks(apart: 60)
    #expect(ticks.allSatisfy { $0.nanoseconds.isMultiple(of: 1_000_000_000) })
    let places = ticks.map(axis.x)
    #expect(zip(places, places.dropFirst()).allSatisfy { $0 + 60 <= $1 })
    #expect(axis.stretches.allSatisfy { stretch in ticks.contains { stretch.from <= $0 && $0 <= stretch.to } })
  }

  @Test("a session in which nothing happens has an axis all the same")
  func nothing() {
    let axis = TimelineAxis(moments: [], end: .zero, left: 0, width: 100)
    #expect(axis.x(of: .zero) == 0 && axis.right == 100)
    #expect(!axis.ticks(apart: 50).isEmpty)
  }
}
