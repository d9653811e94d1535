// SPDX-License-Identifier: GPL-3.0-or-later

/// What is doubtful about a test, whatever it found.
public enum HealthWarning: Sendable, Hashable, Codable {
  /// Most cases were given up; carries how many of how many drawn.
  case manyDiscards(discarded: Int, drawn: Int)
  /// A case used most of a tape, or more than it holds; carries the entries of the longest.
  case largeCases(entries: Int, capacity: Int)
  /// Drawing took far longer than judging; carries the mean time to draw a case and the share of the time it took.
  case slowGenerator(perCase: Duration, share: Double)

  static func warnings(about total: CaseTally, timing: CaseTiming) -> [HealthWarning] {
    var warnings: [HealthWarning] = []
    let drawn = total.passed + total.discarded
    if total.discarded * 2 > drawn { warnings.append(.manyDiscards(discarded: total.discarded, drawn: drawn)) }
    if total.longestTape * 4 > Draws.capacity * 3 || total.discards[.tooLarge] != nil {
      warnings.append(.largeCases(entries: total.longestTape, capacity: Draws.capacity))
    }
    if let warning = timing.warning { warnings.append(warning) }
    return warnings
  }
}

extension HealthWarning: CustomStringConvertible {
  /// What is doubtful and how to mend it, in one sentence or two.
  public var description: String {
    switch self {
    case .manyDiscards(let discarded, let drawn):
      return "\(discarded) of \(drawn) cases were discarded; draw values that fit instead of filtering them."
    case .largeCases(let entries, let capacity):
      return "A case made \(entries) entries on its tape, which holds \(capacity); draw fewer or smaller values."
    case .slowGenerator(let perCase, let share):
      return "Drawing a case took \(perCase) on average, \(Int((share * 100).rounded()))% of the time; "
        + "draw smaller values or fewer."
    }
  }
}

/// How long drawing and judging took in the cases that were timed.
struct CaseTiming: Sendable {
  private(set) var count = 0
  private(set) var drawing = Duration.zero
  private(set) var judging = Duration.zero

  mutating func add(drawing: Duration, judging: Duration) {
    count += 1
    self.drawing += drawing
    self.judging += judging
  }

  /// Slow is what a person waits for: above 10 ms a case, nine tenths of the time or more.
  var warning: HealthWarning? {
    guard count > 0, drawing / count > .milliseconds(10), drawing >= judging * 9 else { return nil }
    return .slowGenerator(perCase: drawing / count, share: drawing / (drawing + judging))
  }
}
