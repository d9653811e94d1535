// SPDX-License-Identifier: GPL-3.0-or-later
import Scenarios
import Testing

@Suite("Thresholds in figures")
struct FigureThresholdTests {
  private static let figure = Figure(
    id: "f", title: "F", alternative: "Dots.", x: Figure.Axis("x"), y: Figure.Axis("back in time, %"),
    series: [Figure.Series("", style: .points, points: [Figure.Point(0, 92), Figure.Point(1, 97)])]
  ).showing(
    [Figure.Subject("success", scale: 100), Figure.Subject("time", of: "a", along: .across)])

  private func lines(_ thresholds: String...) throws -> [Figure.Series] {
    let marked = Self.figure.marked(by: try thresholds.map { try Threshold($0) })
    return Array(marked.series.dropFirst())
  }

  @Test("only bounds of shown measures are drawn, in the units of the axis")
  func ownBound() throws {
    #expect(try lines().isEmpty && lines("other >= 0.5").isEmpty)
    let one = try lines("success >= 95% at 0.99")
    #expect(one.map(\.name) == ["threshold success >= 95%"] && one.flatMap(\.points).map(\.y) == [95])
    let both = try lines("success in 90%..98%")
    #expect(both.map(\.name) == ["threshold success >= 90%", "threshold success <= 98%"])
    #expect(both.flatMap(\.points).map(\.y) == [90, 98])
  }

  @Test("a bound of the horizontal axis is vertical, if its label is shown")
  func across() throws {
    #expect(try lines("time[a] <= 1.5").flatMap(\.points).map(\.x) == [1.5])
    #expect(try lines("time[b] <= 1.5").isEmpty)
  }

  @Test("a bound far outside the plot, or without a number, is not drawn")
  func farAway() throws {
    #expect(try lines("success >= 10%").isEmpty)
    #expect(try lines("success >= baseline - 5%").isEmpty)
  }

  @Test("one label's bound is not drawn across other labels")
  func namedPlaces() throws {
    func lines(_ names: [String], _ threshold: String) throws -> Int {
      let points = names.indices.map { Figure.Point(Double($0), 90) }
      let figure = Figure(
        id: "f", title: "F", alternative: "Dots.", x: Figure.Axis("profile", scale: .names(names)), y: Figure.Axis("y"),
        series: [Figure.Series("", style: .points, points: points)]
      ).showing([Figure.Subject("success", scale: 100)])
      return figure.marked(by: [try Threshold(threshold)]).series.count - 1
    }
    #expect(try lines(["tunnel", "lift"], "success >= 90%") == 1)
    #expect(try lines(["tunnel", "lift"], "success[lift] >= 90%") == 0)
    #expect(try lines(["lift"], "success[lift] >= 90%") == 1)
  }

  @Test("the description names the lines")
  func description() throws {
    let marked = Self.figure.marked(by: [try Threshold("success >= 95%")])
    #expect(marked.description == "Dots. Straight lines mark: threshold success >= 95%.")
  }
}
