// SPDX-License-Identifier: GPL-3.0-or-later
import Reporting

/// Documents of all shapes, the same in every run (a linear congruential generator's upper half: quality is no matter).
struct RandomDocuments: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    func step(_ state: inout UInt64) -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state >> 32
    }
    return step(&state) << 32 | step(&state)
  }

  private static let pieces = [
    "a", "B", "6d-s17", " ", ": ", " #", "\"", "\\", "\n", "\r", "\t", "'", "- ", "[", "]", "{", "}", ",", "&", "*",
    "!", "|", ">", "%", "@", "`", "ü", "🂡", "\u{0}", "\u{7f}", "\u{85}", "\u{a0}", "\u{2028}", "1", "0x1",
    "e5", "true", "null", "~", "?", "...", "---", "<<", "=", ".inf", "-",
  ]

  mutating func text() -> String {
    let pieces = (0..<Int.random(in: 0...4, using: &self)).map { _ in Self.pieces.randomElement(using: &self) ?? "" }
    return pieces.joined()
  }

  /// A value with structure as deep as allowed.
  mutating func value(depth: Int) -> JSONValue {
    switch Int.random(in: 0..<(depth > 0 ? 9 : 7), using: &self) {
    case 0: return .null
    case 1: return .bool(Bool.random(using: &self))
    case 2: return .integer(Int.random(in: .min ... .max, using: &self) >> Int.random(in: 0..<64, using: &self))
    case 3: return .unsigned(UInt64.random(in: (1 << 63)...UInt64.max, using: &self))
    case 4:
      return .number(
        Double.random(in: -1...1, using: &self) * [1e-300, 1, 1e4, 1e300][Int.random(in: 0..<4, using: &self)])
    case 5, 6: return .string(text())
    case 7: return .array((0..<Int.random(in: 0...4, using: &self)).map { _ in value(depth: depth - 1) })
    default: return object(depth: depth - 1)
    }
  }

  mutating func object(depth: Int) -> JSONValue {
    var members: [JSONMember] = []
    for _ in 0..<Int.random(in: 0...4, using: &self) {
      let key = text()
      if !members.contains(where: { $0.key == key }) { members.append(JSONMember(key, value(depth: depth))) }
    }
    return .object(members)
  }
}
