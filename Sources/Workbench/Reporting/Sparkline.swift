// SPDX-License-Identifier: GPL-3.0-or-later

/// A line of text that shows the course of a quantity: `▁▂▄▇█`.
package enum Sparkline {
  private static let heights: [Character] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
  private static let middle: Character = "▄"
  private static let gap: Character = " "

  /// One character for each value, with the height of the value between the least and the largest; `nil`, infinities
  /// and NaN leave a gap.
  package static func text(_ values: [Double?]) -> String {
    let known = values.map { value in value.flatMap { $0.isFinite ? $0 : nil } }
    guard let low = known.compactMap(\.self).min(), let high = known.compactMap(\.self).max() else {
      return String(repeating: gap, count: values.count)
    }
    return String(known.map { value in value.map { character(of: $0, from: low, to: high) } ?? gap })
  }

  private static func character(of value: Double, from low: Double, to high: Double) -> Character {
    guard high > low else { return middle }
    // Halves keep the span of the largest numbers finite.
    let share = (value / 2 - low / 2) / (high / 2 - low / 2)
    guard share.isFinite else { return middle }
    return heights[min(Int(share * Double(heights.count)), heights.count - 1)]
  }
}
