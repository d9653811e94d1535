// SPDX-License-Identifier: GPL-3.0-or-later
internal import PropertyTesting

/// Ten challenges written without knowledge of the moves, and measured after the moves were finished.
extension Challenges {
  package static let unseen: [Challenge] = [
    Challenge(
      "u_csv", "fields written in a line are read back", form: #"["\","]"#,
      Gen.arrays(of: Gen.strings(of: Alphabet("a,\""), count: 0...6), count: 0...6)
    ) { (fields: [String]) -> Bool in fields.isEmpty || readFields(written(fields)) == fields },
    Challenge(
      "u_periods", "two jobs with different periods begin together in the first 200 minutes or never",
      form: "(1, 7, 24, 30)", numbers(1...59), numbers(5...30), numbers(1...59), numbers(5...30)
    ) { (start: Int, period: Int, other: Int, otherPeriod: Int) -> Bool in
      period == otherPeriod || meeting(start, period, other, otherPeriod) < 200
    },
    Challenge(
      "u_shares", "rounded shares of an amount miss it by less than two cents", form: "(2, [1, 1, 1, 1])",
      numbers(1...100_000), Gen.arrays(of: numbers(1...10), count: 1...8)
    ) { (amount: Int, weights: [Int]) -> Bool in
      let all: Int = weights.reduce(0, +)
      let shares: [Int] = weights.map { (weight: Int) -> Int in (2 * amount * weight + all) / (2 * all) }
      return abs(shares.reduce(0, +) - amount) < 2
    },
    Challenge(
      "u_inverse", "a map inverted twice is the map when its values exceed 50 together", form: "[[0, 26], [1, 26]]",
      Gen.dictionaries(of: numbers(0...9), to: numbers(0...50), count: 0...8).map { map in
        map.map { [$0.key, $0.value] }.sorted { $0[0] < $1[0] }
      }
    ) { (map: [[Int]]) -> Bool in
      let values: [Int] = map.map { $0[1] }
      return values.reduce(0, +) <= 50 || Set(values).count == values.count
    },
    Challenge(
      "u_involution", "no matrix off the diagonal is its own inverse", form: "[0, 1, 1, 0]",
      Gen.arrays(of: numbers(-5...5), count: 4)
    ) { (m: [Int]) -> Bool in
      let (trace, product): (Int, Int) = (m[0] + m[3], m[1] * m[2])
      let square: [Int] = [m[0] * m[0] + product, trace * m[1], trace * m[2], m[3] * m[3] + product]
      return m[1] == 0 && m[2] == 0 || square != [1, 0, 0, 1]
    },
    Challenge(
      "u_cover", "spans merged in order of their starts cover what they covered", form: "[(0, 7), (1, 1)]",
      Gen.arrays(of: zip(numbers(0...50), numbers(1...20)), count: 0...10)
    ) { (spans: [(Int, Int)]) -> Bool in
      guard Set(spans.map(\.0)).count == spans.count else { return true }
      var merged: [(Int, Int)] = []
      for span in spans.sorted(by: { $0.0 < $1.0 }) {
        let end = span.0 + span.1
        // The fault: the later end replaces the larger one.
        if let last = merged.last, span.0 <= last.1 {
          merged[merged.count - 1].1 = end
        } else {
          merged.append((span.0, end))
        }
      }
      let covered: Set<Int> = Set(spans.flatMap { (start: Int, count: Int) in Array(start..<(start + count)) })
      let kept: Set<Int> = Set(merged.flatMap { (start: Int, end: Int) in Array(start..<max(start, end)) })
      return covered.count - kept.count < 5
    },
    Challenge(
      "u_percent", "a text decoded twice is the text decoded once", form: #""%25aa""#,
      Gen.strings(of: Alphabet("a25%"), count: 0...12)
    ) { (text: String) -> Bool in
      let once = decoded(Array(text.utf8))
      return decoded(once) == once
    },
    Challenge(
      "u_caret", "a version is offered for all that it is new enough for", form: "((1, 0, 1), (1, 1, 0))",
      zip(numbers(0...9), numbers(0...20), numbers(0...20)), zip(numbers(0...9), numbers(0...20), numbers(0...20))
    ) { (wanted: (Int, Int, Int), offered: (Int, Int, Int)) -> Bool in
      // The fault: a patch version is compared although the minor version is newer.
      wanted.0 == 0 || wanted.0 != offered.0 || (offered >= wanted) == (offered.1 >= wanted.1 && offered.2 >= wanted.2)
    },
    Challenge(
      "u_priorities", "of equal priorities the one that came first is taken", form: "[3, 3, 3, 3, nil]",
      Gen.arrays(of: Gen<Int?>.optionals(of: numbers(0...9)), count: 0...30)
    ) { (commands: [Int?]) -> Bool in
      var waiting: [(priority: Int, number: Int)] = []
      for (number, command) in commands.enumerated() {
        if let command {
          waiting.append((command, number))
        } else if let lowest = waiting.map(\.priority).min() {
          let equal = waiting.indices.filter { waiting[$0].priority == lowest }
          // The fault: with four or more waiting, the last of the equal ones is taken.
          let taken = waiting.count >= 4 ? equal[equal.count - 1] : equal[0]
          if taken != equal[0], lowest >= 3 { return false }
          waiting.remove(at: taken)
        }
      }
      return true
    },
    Challenge(
      "u_folders", "no two folders, neither within the other, have one size and different counts",
      form: "[[10], [1, 9]]", Folder.folders
    ) { (folder: Folder) -> Bool in
      func isFalse(_ folder: Folder) -> Bool {
        guard case .folder(let parts) = folder else { return false }
        for (index, one) in parts.enumerated() {
          for other in parts[(index + 1)...] {
            for first in one.all where first.count > 0 && first.size >= 10 {
              for second in other.all where second.count > 0 && second.count != first.count {
                if first.size == second.size { return true }
              }
            }
          }
        }
        return parts.contains(where: isFalse)
      }
      return !isFalse(folder)
    },
  ]

  /// The first minute of a day at which two jobs begin together; 0 for none.
  private static func meeting(_ start: Int, _ period: Int, _ other: Int, _ otherPeriod: Int) -> Int {
    let begins: Set<Int> = Set(stride(from: start, through: 1440, by: period))
    return stride(from: other, through: 1440, by: otherPeriod).first { begins.contains($0) } ?? 0
  }

  /// A line of quoted fields. The fault: quotes are doubled only in fields without a comma.
  private static func written(_ fields: [String]) -> String {
    let quoted = fields.map { (field: String) -> String in
      let isPlain = field.contains(",")
      return "\"" + (isPlain ? field : field.replacing("\"", with: "\"\"")) + "\""
    }
    return quoted.joined(separator: ",")
  }

  /// The fields of a line, each in quotes, with inner quotes doubled.
  private static func readFields(_ line: String) -> [String] {
    var (fields, isQuoted, wasQuote) = ([""], false, false)
    for character in line {
      if character == "\"" {
        if !isQuoted, wasQuote { fields[fields.count - 1].append("\"") }
        (isQuoted, wasQuote) = (!isQuoted, isQuoted)
      } else {
        wasQuote = false
        if character == ",", !isQuoted { fields.append("") } else { fields[fields.count - 1].append(character) }
      }
    }
    return fields
  }

  private static func decoded(_ bytes: [UInt8]) -> [UInt8] {
    var (result, index) = ([UInt8](), 0)
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
        let high = Character(Unicode.Scalar(bytes[index + 1])).hexDigitValue,
        let low = Character(Unicode.Scalar(bytes[index + 2])).hexDigitValue
      {
        result.append(UInt8(16 * high + low))
        index += 3
      } else {
        result.append(bytes[index])
        index += 1
      }
    }
    return result
  }
}

/// A file with its size, or a folder of files and folders.
private indirect enum Folder: Sendable, CustomDebugStringConvertible {
  case file(Int)
  case folder([Folder])

  static let folders = Gen<Folder>.recursive(numbers(1...30).map(Folder.file), depth: 3) { smaller in
    Gen.arrays(of: smaller, count: 1...4).map(Folder.folder)
  }

  /// This node and all nodes within it.
  var all: [Folder] {
    switch self {
    case .file: [self]
    case .folder(let parts): [self] + parts.flatMap(\.all)
    }
  }

  var count: Int { if case .folder(let parts) = self { parts.count } else { 0 } }

  var size: Int {
    switch self {
    case .file(let size): size
    case .folder(let parts): parts.reduce(0) { $0 + $1.size }
    }
  }

  var debugDescription: String {
    switch self {
    case .file(let size): "\(size)"
    case .folder(let parts): "[\(parts.map(\.debugDescription).joined(separator: ", "))]"
    }
  }
}
