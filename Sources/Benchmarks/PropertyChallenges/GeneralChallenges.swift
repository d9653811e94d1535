// SPDX-License-Identifier: GPL-3.0-or-later
internal import PropertyTesting

func numbers(_ range: ClosedRange<Int>, towards target: Int? = nil) -> Gen<Int> {
  .integers(in: range, towards: target)
}

private func listsOf(_ range: ClosedRange<Int>, _ count: ClosedRange<Int> = 0...20) -> Gen<[Int]> {
  .arrays(of: numbers(range), count: count)
}

/// Challenges of many kinds, to measure shrinking in general. The moves were developed with these.
extension Challenges {
  package static let general: [Challenge] = arithmetic + relations + collections + texts + structures + programs

  private static let arithmetic = [
    Challenge(
      "modular_mapping", "a mapping modulo 1009 maps no two numbers from 50 on to one", form: "(50, 1059)",
      numbers(0...100_000), numbers(0...100_000)
    ) { (one: Int, other: Int) -> Bool in
      let (image, otherImage): (Int, Int) = ((31 * one + 7) % 1009, (31 * other + 7) % 1009)
      return one < 50 || other < 50 || one == other || image != otherImage
    },
    Challenge(
      "power_sum", "no square is the sum of two", form: "(3, 4, 5)", numbers(1...60), numbers(1...60), numbers(1...60)
    ) { (a: Int, b: Int, c: Int) -> Bool in a * a + b * b != c * c },
    Challenge(
      "four_squares", "no four squares have the sum 150", form: "(0, 1, 7, 10)", numbers(0...20), numbers(0...20),
      numbers(0...20), numbers(0...20)
    ) { (a: Int, b: Int, c: Int, d: Int) -> Bool in [a, b, c, d].reduce(0) { $0 + $1 * $1 } != 150 },
    Challenge(
      "common_divisor", "different numbers have no common divisor from 12 on", form: "(12, 24)",
      numbers(1...10_000), numbers(1...10_000)
    ) { $0 == $1 || gcd($0, $1) < 12 },
    Challenge("remainders", "no number above 100 leaves 2, 3 and 2", form: "128", numbers(0...1_000_000)) { number in
      number <= 100 || [number % 3, number % 5, number % 7] != [2, 3, 2]
    },
    Challenge("bits", "no multiple of five has ten bits", form: "1535", numbers(0...0xFFFF_FFFF)) {
      $0.nonzeroBitCount < 10 || $0 % 5 != 0
    },
    Challenge("split", "no amount above 100 leaves all but one", form: "(101, 2)", numbers(1...10_000), numbers(2...12))
    {
      $0 <= 100 || $0 % $1 != $1 - 1
    },
    Challenge(
      "float_mean", "the mean of three numbers is between the least and the greatest",
      form: "[1.5000000000000004, 1.5000000000000004, 1.5000000000000004]",
      Gen.arrays(of: Gen<Double>.doubles(in: 0...1000), count: 3)
    ) { numbers in
      let mean = numbers.reduce(0, +) / 3
      return mean >= (numbers.min() ?? 0) && mean <= (numbers.max() ?? 0)
    },
    Challenge(
      "iso_week", "a year's first days are never in week 53", form: "(1999, 1)", numbers(1900...2100, towards: 2000),
      numbers(1...366)
    ) { year, day in !(day <= 3 && isWeek53(year, day)) },
  ]

  private static func isWeek53(_ year: Int, _ day: Int) -> Bool {
    // The weekday of 1 January, Monday 0, and that of the year before.
    func first(_ year: Int) -> Int { (year - 1 + (year - 1) / 4 - (year - 1) / 100 + (year - 1) / 400) % 7 }
    func isLong(_ year: Int) -> Bool {
      let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
      return first(year) == 3 || isLeap && first(year) == 2
    }
    return first(year) >= 4 && day <= 7 - first(year) && isLong(year - 1)
  }

  private static let relations = [
    Challenge(
      "touching", "no two spans of one length from 5 on touch", form: "(0, 5, 5, 5)", numbers(0...100),
      numbers(0...100),
      numbers(0...100), numbers(0...100)
    ) { (start: Int, count: Int, other: Int, otherCount: Int) -> Bool in
      start + count != other || count != otherCount || count < 5
    },
    Challenge(
      "refund", "refunds, none above the dearest purchase, do not exceed purchases", form: "([1], [1, 1])",
      listsOf(1...500), listsOf(1...500)
    ) { purchases, refunds in
      refunds.contains { $0 > purchases.max() ?? 0 } || refunds.reduce(0, +) <= purchases.reduce(0, +)
    },
    Challenge(
      "equal_sums", "lists of different lengths have different sums from 30 on", form: "([30], [1, 29])",
      listsOf(1...50),
      listsOf(1...50)
    ) { (one: [Int], other: [Int]) -> Bool in
      let (sum, otherSum) = (one.reduce(0, +), other.reduce(0, +))
      return one.count == other.count || sum < 30 || sum != otherSum
    },
    Challenge(
      "hash", "no two texts have one hash", form: #"("a", "gz")"#, Gen.strings(of: .letters, count: 1...6),
      Gen.strings(of: .letters, count: 1...6)
    ) { $0 == $1 || hash($0, 31, 256) != hash($1, 31, 256) },
    Challenge(
      "hash_list", "no two lists have one hash", form: "([], [386])", listsOf(0...1000, 0...8), listsOf(0...1000, 0...8)
    ) { (one: [Int], other: [Int]) -> Bool in
      func hash(_ list: [Int]) -> Int {
        list.reduce(17) { (hash: Int, number: Int) -> Int in (hash * 37 + number) % 499 }
      }
      return one == other || hash(one) != hash(other)
    },
    Challenge(
      "checksum", "four bytes or more never have this sum and this exclusive or", form: "[0, 26, 27, 27]",
      Gen<[UInt8]>.bytes(count: 4...8)
    ) { bytes in
      let (parity, sum) = (bytes.reduce(0 as UInt8, ^), bytes.reduce(0 as UInt8, &+))
      return parity & 0x3F != 0x1A || sum & 0x3F != 0x10
    },
    Challenge(
      "frame", "no bytes begin with 137 and end with their checksum", form: "[137, 0, 0, 0]",
      Gen<[UInt8]>.bytes(count: 0...40)
    ) { bytes in
      guard bytes.count > 3, bytes[0] == 137 else { return true }
      return bytes[1..<(bytes.count - 1)].reduce(0 as UInt8) { $0 &* 3 &+ $1 } != bytes[bytes.count - 1]
    },
    Challenge(
      "month", "dates 30 days apart are of one month", form: "(1, 2, 2, 1)", numbers(1...12), numbers(1...28),
      numbers(1...12),
      numbers(1...28)
    ) { (month: Int, day: Int, other: Int, otherDay: Int) -> Bool in
      let starts = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334]
      let first: Int = starts[month - 1] + day
      return month == other || starts[other - 1] + otherDay - first != 30
    },
  ]

  private static func hash(_ text: String, _ factor: Int, _ size: Int) -> Int {
    text.utf8.reduce(7) { ($0 * factor + Int($1)) % size }
  }

  private static func gcd(_ one: Int, _ other: Int) -> Int { other == 0 ? one : gcd(other, one % other) }

  private static let collections = [
    Challenge(
      "locks", "no two threads take two locks in opposite orders", form: "[[0, 1], [1, 0]]",
      Gen.arrays(of: listsOf(0...4, 0...5), count: 0...5)
    ) { threads in
      var earlier: Set<[Int]> = []
      for locks in threads {
        var own: Set<[Int]> = []
        for (index, lock) in locks.enumerated() {
          for later in locks[(index + 1)...] where later != lock { own.insert([lock, later]) }
        }
        for order in own where earlier.contains(order.reversed()) { return false }
        earlier.formUnion(own)
      }
      return true
    },
    Challenge(
      "overdraft", "no account falls below -100", form: "[(0, 1, 1), (0, 1, 100)]",
      Gen.arrays(of: zip(numbers(0...5), numbers(0...5), numbers(1...100)))
    ) { transfers in
      var accounts = [Int](repeating: 0, count: 6)
      for transfer in transfers {
        accounts[transfer.0] -= transfer.2
        accounts[transfer.1] += transfer.2
      }
      return !accounts.contains { $0 < -100 }
    },
    Challenge("window", "no three different times are within a minute", form: "[0, 1, 2]", listsOf(0...100_000)) {
      times in
      let sorted = Set(times).sorted()
      return !sorted.indices.dropFirst(2).contains { sorted[$0] - sorted[$0 - 2] < 60 }
    },
    Challenge("recovery", "no price halves and recovers", form: "[2, 1, 2]", listsOf(1...1000)) { prices in
      !prices.indices.contains { low in
        prices[..<low].contains { high in high >= 2 * prices[low] && prices[low...].contains { $0 >= high } }
      }
    },
    Challenge(
      "cycle", "no permutation of six has a cycle of four", form: "[0, 1, 3, 4, 5, 2]",
      Gen<[Int]>.permutations(of: 0..<6)
    ) {
      order in
      !order.indices.contains { start in
        var (index, length) = (order[start], 1)
        while index != start { (index, length) = (order[index], length + 1) }
        return length == 4
      }
    },
    Challenge(
      "search", "a search by halves finds the first of equal numbers", form: "([0, 0], 0)",
      listsOf(0...50).map { $0.sorted() }, numbers(0...50)
    ) { sorted, wanted in
      var (low, high) = (0, sorted.count)
      while low < high {
        let middle = (low + high) / 2
        if sorted[middle] == wanted { return sorted.firstIndex(of: wanted) == middle }
        if sorted[middle] < wanted { low = middle + 1 } else { high = middle }
      }
      return true
    },
    Challenge(
      "path", "no three edges lead from 0 to 5", form: "[(0, 1), (1, 2), (2, 5)]",
      Gen.arrays(of: zip(numbers(0...7), numbers(0...7)))
    ) { edges in
      func next(_ nodes: Set<Int>) -> Set<Int> { Set(edges.filter { nodes.contains($0.0) && $0.0 != $0.1 }.map(\.1)) }
      let (one, two) = (next([0]), next(next([0])))
      return one.contains(5) || two.contains(5) || !next(two).contains(5)
    },
  ]

  private static let texts = [
    Challenge(
      "reversed_text", "no text is another one reversed", form: #"("aab", "baa")"#,
      Gen.strings(of: Alphabet("abcdef"), count: 0...8),
      Gen.strings(of: Alphabet("abcdef"), count: 0...8)
    ) { $0.count < 3 || $0 == $1 || $0 != String($1.reversed()) },
    Challenge("capitals", "a text in capitals has as many characters", form: #""ß""#, Gen.strings()) {
      $0.uppercased().count == $0.count
    },
    Challenge(
      "semver", "versions have the order of their texts", form: "((0, 0, 2), (0, 0, 10))",
      zip(numbers(0...50), numbers(0...50), numbers(0...50)), zip(numbers(0...50), numbers(0...50), numbers(0...50))
    ) { one, other in
      (one < other) == ("\(one.0).\(one.1).\(one.2)" < "\(other.0).\(other.1).\(other.2)")
    },
  ]

  private static let structures = [
    Challenge(
      "branch_switch", "no message is both", form: "list [11]",
      Gen<Packet>.oneOf(
        listsOf(0...100).map(Packet.list), zip(numbers(0...100), numbers(0...100)).map(Packet.pair))
    ) { packet in
      switch packet {
      case .list(let numbers): numbers.count != 1 || numbers[0] <= 10
      case .pair(let one, let other): one + other <= 10
      }
    },
    Challenge(
      "sum24", "no sum or product of three small numbers is 24", form: "(0 + (3 * 8))", Formula.formulas
    ) { $0.leaves < 3 || $0.largest > 9 || $0.value != 24 },
  ]

  private static let programs = [
    Challenge(
      "ring", "a ring buffer gives back what was put in", form: "(3, [1, nil, 1, nil, 1, 1, 2, nil, nil])",
      numbers(1...8),
      Gen.arrays(of: Gen<Int?>.optionals(of: numbers(1...9)), count: 0...30)
    ) { capacity, commands in
      var (slots, head, count, model) = ([Int](repeating: 0, count: capacity), 0, 0, [Int]())
      for command in commands {
        if let command, count < capacity {
          // The fault: after the buffer has been full, the end wraps one place too late.
          let end = head + count
          slots[count == capacity - 1 && head > 0 ? 0 : end % capacity] = command
          count += 1
          model.append(command)
        } else if command == nil, count > 0 {
          let taken = slots[head]
          (head, count) = ((head + 1) % capacity, count - 1)
          if taken != model.removeFirst() { return false }
        }
      }
      return true
    },
    Challenge(
      "cache", "a cache of two forgets what was used longest ago",
      form: "[(true, 0), (true, 1), (false, 0), (true, 2), (false, 0)]",
      Gen.arrays(of: zip(Gen<Bool>.booleans(), numbers(0...5)), count: 0...20)
    ) { commands in
      var (faulty, right) = ([Int](), [Int]())
      for (isPut, key) in commands {
        if isPut {
          for cache in [0, 1] {
            var keys = cache == 0 ? faulty : right
            keys.removeAll { $0 == key }
            keys.append(key)
            if keys.count > 2 { keys.removeFirst() }
            if cache == 0 { faulty = keys } else { right = keys }
          }
        } else {
          if faulty.contains(key) != right.contains(key) { return false }
          // The fault: a read does not count as a use.
          if right.contains(key) { right = right.filter { $0 != key } + [key] }
        }
      }
      return true
    },
  ]
}

private enum Packet: Sendable, CustomDebugStringConvertible {
  case list([Int])
  case pair(Int, Int)

  var debugDescription: String {
    switch self {
    case .list(let numbers): "list \(numbers)"
    case .pair(let one, let other): "pair \(one) \(other)"
    }
  }
}

private indirect enum Formula: Sendable, CustomDebugStringConvertible {
  case number(Int)
  case sum(Formula, Formula)
  case product(Formula, Formula)

  static let formulas = Gen<Formula>.recursive(numbers(0...20).map(Formula.number), depth: 4) { smaller in
    .oneOf(zip(smaller, smaller).map(Formula.sum), zip(smaller, smaller).map(Formula.product))
  }

  private var all: [Int] {
    switch self {
    case .number(let number): [number]
    case .sum(let one, let other), .product(let one, let other): one.all + other.all
    }
  }

  var leaves: Int { all.count }
  var largest: Int { all.max() ?? 0 }

  var value: Int {
    switch self {
    case .number(let number): number
    case .sum(let one, let other): one.value &+ other.value
    case .product(let one, let other): one.value &* other.value
    }
  }

  var debugDescription: String {
    switch self {
    case .number(let number): "\(number)"
    case .sum(let one, let other): "(\(one.debugDescription) + \(other.debugDescription))"
    case .product(let one, let other): "(\(one.debugDescription) * \(other.debugDescription))"
    }
  }
}

/// Ten challenges that were not used before the moves were finished, to measure how far shrinking generalises.
extension Challenges {
  package static let heldBack: [Challenge] = [
    Challenge("h_three_of", "no three numbers of a list have the sum 100", form: "[1, 1, 98]", listsOf(1...100)) {
      all in
      !all.indices.contains { i in
        all.indices.dropFirst(i + 1).contains { j in all[(j + 1)...].contains { all[i] + all[j] + $0 == 100 } }
      }
    },
    Challenge("h_palindrome", "no palindrome from 1000 on is a multiple of 7", form: "1001", numbers(0...1_000_000)) {
      $0 < 1000 || $0 % 7 != 0 || String($0) != String(String($0).reversed())
    },
    Challenge(
      "h_classes", "no three different numbers of a list have one remainder by 17", form: "[0, 17, 85]",
      listsOf(0...5000)
    ) { all in
      !Set(all).contains { one in Set(all.filter { $0 % 17 == one % 17 }).count >= 3 && all.reduce(0, +) >= 100 }
    },
    Challenge(
      "h_midnight", "nothing that begins off the hour runs past midnight", form: "(21, 2, 179)", numbers(0...23),
      numbers(0...59), numbers(1...179)
    ) { (hour: Int, minute: Int, length: Int) -> Bool in minute == 0 || 60 * hour + minute + length <= 1440 },
    Challenge(
      "h_fractions", "no fractions of different denominators have the sum one", form: "(1, 2, 2, 4)", numbers(1...50),
      numbers(2...50), numbers(1...50), numbers(2...50)
    ) { (a: Int, b: Int, c: Int, d: Int) -> Bool in b == d || a * d + c * b != b * d },
    Challenge(
      "h_columns", "the columns of no table have one sum other than 0", form: "[[0, 0], [1, 1]]",
      Gen.arrays(of: listsOf(0...9, 0...4), count: 0...5)
    ) { rows in
      guard rows.count > 1, let width = rows.first?.count, width > 1, rows.allSatisfy({ $0.count == width }) else {
        return true
      }
      let sums = Set((0..<width).map { column in rows.reduce(0) { $0 + $1[column] } })
      return sums.count > 1 || sums == [0]
    },
    Challenge(
      "h_tax", "a tax rounded by piece is the tax rounded once", form: "(1, 3, 17)", numbers(1...10_000),
      numbers(1...30),
      numbers(1...20)
    ) { (price: Int, rate: Int, count: Int) -> Bool in
      let byPiece: Int = (price * rate + 50) / 100
      return byPiece * count == (price * rate * count + 50) / 100
    },
    Challenge(
      "h_brackets", "no balanced brackets three deep hold a number above 5", form: "[-1, -1, 6, -2, -2]",
      Gen.arrays(of: Gen<Int>.oneOf(.just(-1), .just(-2), numbers(0...9)), count: 0...12)
    ) { tokens in
      var (depth, isDeep) = (0, false)
      for token in tokens {
        if token == -1 { depth += 1 } else if token == -2 { depth -= 1 } else if depth >= 2, token > 5 { isDeep = true }
        if depth < 0 { return true }
      }
      return depth != 0 || !isDeep
    },
    Challenge(
      "h_decimals", "no sum with a fraction is exact", form: "(1.5, 1.0, 2.5)", Gen<Double>.doubles(in: 0...100),
      Gen<Double>.doubles(in: 0...100), Gen<Double>.doubles(in: 0...100)
    ) { (a: Double, b: Double, c: Double) -> Bool in a == a.rounded() || b == 0 || a + b != c },
    Challenge(
      "h_schedule", "no room has two meetings at once", form: "[(1, 0, 2), (1, 1, 1)]",
      Gen.arrays(of: zip(numbers(0...3), numbers(0...23), numbers(1...4)), count: 0...12)
    ) { meetings in
      for (index, one) in meetings.enumerated() {
        for other in meetings[(index + 1)...] where other.0 == one.0 && other.0 > 0 && other.1 > one.1 {
          if other.1 < one.1 + one.2 { return false }
        }
      }
      return true
    },
  ]
}

/// Relations between values that independent draws rarely satisfy, to measure how soon they are found.
extension Challenges {
  package static let related: [Challenge] = [
    Challenge("a = 3b + 7, 64-bit integers", "no a is 3 b + 7", Gen<Int>.integers(), Gen<Int>.integers()) { a, b in
      b <= 1000 || a != 3 &* b &+ 7
    },
    Challenge(
      "text equal to another reversed", "no text is another one reversed", Gen.strings(of: .letters, count: 0...20),
      Gen.strings(of: .letters, count: 0...20)
    ) { $0.count < 3 || $0 == $1 || $0 != String($1.reversed()) },
    Challenge("sum of a list equal to twice its last", "no sum is twice the last", listsOf(0...10_000)) { all in
      all.count < 3 || all[all.count - 1] == 0 || all.reduce(0, +) != 2 * all[all.count - 1]
    },
    Challenge(
      "date of a change of clocks", "a day in Europe has 24 hours", numbers(2000...2040), numbers(1...12),
      numbers(1...31)
    ) { (year: Int, month: Int, day: Int) -> Bool in
      // Clocks change on the last Sundays of March and October; the congruence is Sakamoto's for the weekday.
      guard month == 3 || month == 10, day > 24 else { return true }
      let weekday = (year + year / 4 - year / 100 + year / 400 + (month == 3 ? 2 : 6) + day) % 7
      return weekday != 0
    },
  ]
}
