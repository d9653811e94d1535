// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation

@testable import PropertyTesting

extension Gallery {
  enum Suit: CaseIterable, Sendable { case clubs, diamonds, hearts, spades }

  struct Oops: Error, Equatable { let code: Int }

  @Specimens static var collections: [Specimen] {
    Specimen("arrays", .arrays(of: .booleans(), count: 2...6)) { (2...6).contains($0.count) }
    Specimen("arrays of arrays", .arrays(of: .arrays(of: .doubles(), count: 0...3), count: 0...4)) { $0.count <= 4 }
    Specimen("sortedArrays", .sortedArrays(of: Gen<Int>.integers(), count: 1...9)) { $0 == $0.sorted() && !$0.isEmpty }
    Specimen("sequence", Gen<[Int]>.sequence([.just(1), .integers(in: 2...5), .just(9)])) { (list: [Int]) in
      list.count == 3 && list.first == 1 && (2...5).contains(list[1]) && list.last == 9
    }
    Specimen("optionals", .optionals(of: .integers(in: 1...3))) { $0.map((1...3).contains) ?? true }
    Specimen("results", .results(of: .integers(in: 1...3), or: Gen.integers(in: 7...9).map(Oops.init))) {
      switch $0 {
      case .success(let value): (1...3).contains(value)
      case .failure(let oops): (7...9).contains(oops.code)
      }
    }
    Specimen("distinctArrays", .distinctArrays(of: .integers(in: 0...9), count: 3...8)) {
      Set($0).count == $0.count && (3...8).contains($0.count)
    }
    Specimen("distinctArrays(by:)", .distinctArrays(of: .integers(in: 0...999), by: { $0 % 10 }, count: 0...30)) {
      Set($0.map { $0 % 10 }).count == $0.count && $0.count <= 10
    }
    Specimen("sets", Gen<Set<Bool>>.sets(of: .booleans()).map { $0.sorted { !$0 && $1 } }) { $0.count <= 2 }
    Specimen("dictionaries", pairs) { (1...6).contains($0.count) }
    Specimen("cases", Gen<Suit>.cases()) { Suit.allCases.contains($0) }
    Specimen("permutations", .permutations(of: 0..<7)) { $0.sorted() == Array(0..<7) }
    Specimen("permutations of nothing", .permutations(of: [Int]())) { $0.isEmpty }
    Specimen("shuffled", Gen.arrays(of: .integers(in: 0...9)).map { $0.sorted() }.shuffled()) {
      $0.allSatisfy((0...9).contains)
    }
    Specimen("subsets", .subsets(of: 0..<9)) { $0 == $0.sorted() && Set($0).count == $0.count && $0.count <= 9 }
    Specimen("subsets(count:)", .subsets(of: "abcdef", count: 2...4)) { (2...4).contains($0.count) }
    Specimen("bytes", .bytes(count: 4...4)) { $0.count == 4 }
    Specimen("data", .data(count: 0...9)) { $0.count <= 9 }
    Specimen("uuids", .uuids()) { UUID(uuidString: $0.uuidString) == $0 }
  }

  @Specimens static var moments: [Specimen] {
    Specimen("dates", .dates()) { (Date.distantPast...Date.distantFuture).contains($0) }
    Specimen("dates, every day", .dates(every: .days)) {
      $0.timeIntervalSince1970.truncatingRemainder(dividingBy: 86_400) == 0
    }
    Specimen("dates(in:)", .dates(in: year)) { year.contains($0) }
    Specimen("dates(in:every: .seconds)", .dates(in: year, every: .seconds)) {
      year.contains($0) && $0.timeIntervalSince1970.rounded() == $0.timeIntervalSince1970
    }
    Specimen("durations", .durations()) { (.zero ... .seconds(86_400)).contains($0) }
    Specimen("durations(in:)", .durations(in: .milliseconds(-3) ... .milliseconds(-1))) {
      (.milliseconds(-3) ... .milliseconds(-1)).contains($0)
    }
    Specimen("durations, all", .durations(in: .seconds(Int64.min) ... .seconds(Int64.max))) { _ in true }
  }

  /// Dictionaries as lists in order: their own order differs from one copy to the next.
  private static var pairs: Gen<[String]> {
    Gen<[Int: Bool]>.dictionaries(of: .integers(in: 0...5), to: .booleans(), count: 1...6).map { dictionary in
      dictionary.map { "\($0.key): \($0.value)" }.sorted()
    }
  }

  /// From a quarter of a second after the beginning of 2023 to as long before its end.
  private static let year =
    Date(timeIntervalSince1970: 1_672_531_200.25)...Date(timeIntervalSince1970: 1_704_067_199.75)
}
