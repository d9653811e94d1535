// SPDX-License-Identifier: GPL-3.0-or-later
import Testing

@testable import Pages

@Suite("Numbers along an axis")
struct AxisPlanTests {
  private func demand(_ values: ClosedRange<Double>, bars: Bool = false, room: Double = 0) -> AxisPlan.Demand {
    AxisPlan.Demand(values: values, hasBars: bars, room: room) { FigureLayout.fitsAcross($0, $1) }
  }

  private func labels(_ plan: AxisPlan?) -> [String] { plan?.ticks.map(\.label).filter { !$0.isEmpty } ?? [] }

  @Test("even steps with the same decimals and a true minus sign")
  func even() {
    #expect(labels(AxisPlan.linear(demand(-0.2...0.3))) == ["−0.2", "−0.1", "0", "0.1", "0.2", "0.3"])
    #expect(labels(AxisPlan.linear(demand(0...14))) == ["0", "2", "4", "6", "8", "10", "12", "14"])
  }

  @Test("large numbers by their unit, tiny ones by a power of ten")
  func units() {
    #expect(labels(AxisPlan.linear(demand(0...2_000_000)))[1] == "0.5M")
    #expect(labels(AxisPlan.linear(demand(0...50_000))).last == "50k")
    #expect(labels(AxisPlan.linear(demand(0...4e-9))).last == "4e-9")
    #expect(labels(AxisPlan.linear(demand(0...3e16))).last == "3.0e16")
  }

  @Test("powers of ten on a logarithmic axis, in plain style between")
  func decades() {
    #expect(
      labels(AxisPlan.logarithmic(demand(0.001...10_000_000)))
        == ["0.01", "1", "100", "10k", "1M"])
    #expect(labels(AxisPlan.logarithmic(demand(1...1_000))) == ["1", "10", "100", "1000"])
    #expect(labels(AxisPlan.logarithmic(demand(2...40))) == ["2", "5", "10", "20"])
    #expect(labels(AxisPlan.logarithmic(demand(1e-9...1e-7))) == ["1e-9", "1e-8", "1e-7"])
  }

  @Test(
    "equal values get room on both sides, whatever their size", arguments: [0, 1, -3, 1e-12, 12_345_678, 1e15, -1e200])
  func equal(value: Double) throws {
    let plan = try #require(AxisPlan.linear(demand(value...value, room: 0.05)))
    #expect(plan.range.lowerBound < value && value < plan.range.upperBound)
    #expect(plan.ticks.count >= 2)
  }

  @Test("where only whole numbers mean anything, no other is labelled")
  func whole() throws {
    for range in [1.0...1, 1...3, 0...14, 7...200] {
      let demand = AxisPlan.Demand(values: range, hasBars: false, room: 0.02, leastStep: 1) { _, _ in true }
      let plan = try #require(AxisPlan.linear(demand))
      #expect(plan.ticks.count >= 2)
      #expect(plan.ticks.allSatisfy { $0.place == $0.place.rounded() })
    }
  }

  @Test("labels never run into one another, and always differ")
  func apart() throws {
    let ranges: [ClosedRange<Double>] = [
      0...1, -1e-7...3e-7, 0.123456...0.123457, 999_999...1_000_001, -1e14...1e14, 0...1e9, 3...7.5, 1e299...1.1e299,
      123_456_789.001...123_456_789.002,
    ]
    for range in ranges {
      let labels = try #require(AxisPlan.linear(demand(range, room: 0.06))).ticks.map(\.label)
      #expect(labels.count >= 2, "\(range)")
      #expect(Set(labels).count == labels.count, "\(range): \(labels)")
      #expect(labels.count == 2 || FigureLayout.fitsAcross(labels.count, labels.map(\.count).max() ?? 0), "\(labels)")
    }
  }
}
