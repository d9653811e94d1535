// SPDX-License-Identifier: GPL-3.0-or-later
internal import PropertyTesting

/// Challenges over lists of numbers.
extension Challenges {
  static let lists = [
    bound5, largeUnionList, reverse, lengthList, coupling, deletion, distinct, nestedLists,
  ]

  private static let bound5 = {
    let shorts = Gen.arrays(of: Gen<Int16>.integers(), count: 0...10).filter { $0.reduce(0, &+) < 256 }
    return Challenge(
      "bound5", "five lists with sums below 256 have a sum below 1280 together",
      normalForm: ([], [], [], [-1], [-32768]), shorts, shorts, shorts, shorts, shorts
    ) { a, b, c, d, e in
      [a, b, c, d, e].joined().reduce(0, &+) < 5 * 256
    }
  }()

  private static let largeUnionList = Challenge(
    "large_union_list", "no list of lists holds more than four different numbers", normalForm: [[0, 1, -1, 2, -2]],
    Gen.arrays(of: Gen.arrays(of: Gen<Int>.integers()))
  ) { lists in
    Set(lists.joined()).count <= 4
  }

  private static let reverse = Challenge(
    "reverse", "a list reads the same backwards", normalForm: [0, 1], Gen.arrays(of: Gen<Int>.integers())
  ) { numbers in
    numbers == numbers.reversed()
  }

  private static let lengthList = Challenge(
    "lengthlist", "no number of a list whose length was drawn first reaches 900", normalForm: [900],
    Gen<Int>.integers(in: 1...100).flatMap { count in Gen.arrays(of: Gen<Int>.integers(in: 0...1000), count: count) }
  ) { numbers in
    numbers.allSatisfy { $0 < 900 }
  }

  private static let coupling = Challenge(
    "coupling", "no two elements point at each other", normalForm: [1, 0],
    Gen.arrays(of: Gen<Int>.integers(in: 0...10)).filter { numbers in numbers.allSatisfy { $0 < numbers.count } }
  ) { numbers in
    !numbers.indices.contains { index in numbers[index] != index && numbers[numbers[index]] == index }
  }

  private static let deletion = Challenge(
    "deletion", "what was removed from a list is no longer in it", normalForm: ([0, 0], 0),
    Gen.arrays(of: Gen<Int>.integers()), Gen<Int>.integers(in: 0...10)
  ) { numbers, index in
    try assume(index < numbers.count)
    var rest = numbers
    if let first = rest.firstIndex(of: numbers[index]) { rest.remove(at: first) }
    return !rest.contains(numbers[index])
  }

  private static let distinct = Challenge(
    "distinct", "a list has fewer than three different numbers", normalForm: [0, 1, -1],
    Gen.arrays(of: Gen<Int>.integers())
  ) { numbers in
    Set(numbers).count < 3
  }

  private static let nestedLists = Challenge(
    "nestedlists", "lists in a list have at most ten elements together",
    normalForm: [[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]], Gen.arrays(of: Gen.arrays(of: Gen.just(0)))
  ) { lists in
    lists.joined().count <= 10
  }
}
