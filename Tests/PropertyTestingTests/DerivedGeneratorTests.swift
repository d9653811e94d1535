// SPDX-License-Identifier: Apache-2.0
import Foundation
import PropertyTesting
import Testing

@Suite("Generators derived from a type")
struct DerivedGeneratorTests {
  enum Kind: String, Codable, CaseIterable { case plain, express }
  struct Identifier: Codable, Hashable, RawRepresentable { let rawValue: UInt16 }
  struct Line: Codable, Hashable {
    var article: UUID
    var count: Int8
    var price: Double
    var kind: Kind
  }
  struct Order: Codable {
    var id: Identifier
    var customer: String
    var placed: Date
    var lines: [Line]
    var note: String?
    var counts: [String: UInt64]
    var tags: Set<Int32>
    var site: URL
    var isPaid: Bool
  }

  @Test("give every part of a type different values, all of which survive encoding")
  func parts() throws {
    let report = try search(Gen<Order>.derived(), settings: CheckSettings(cases: 300)) { order in
      cover("lines", !order.lines.isEmpty, atLeast: 0.3)
      cover("a note", order.note != nil, atLeast: 0.2)
      cover("no note", order.note == nil, atLeast: 0.2)
      cover("counts", !order.counts.isEmpty, atLeast: 0.3)
      cover("tags", order.tags.count > 1, atLeast: 0.2)
      cover("paid", order.isPaid, atLeast: 0.2)
      cover("express", order.lines.contains { $0.kind == .express }, atLeast: 0.2)
      let again = try JSONDecoder().decode(Order.self, from: JSONEncoder().encode(order))
      try require(again.lines == order.lines && again.tags == order.tags && again.id == order.id)
    }
    #expect(report.isHeld && report.coverage.allSatisfy { $0.verdict != .fails })
  }

  @Test("shrink part by part")
  func shrinks() throws {
    let property = Property("derived.1", "No line is of many", Gen<Order>.derived()) { order in
      try require(!order.lines.contains { $0.count > 100 && $0.kind == .express }, "many")
    }
    let text = try #require(try property.check(CheckSettings(cases: 2000)).counterexample?.arguments.first)
    #expect(text.contains("count: 101") && text.contains("kind: .express") && text.contains("price: 0.0"))
    #expect(text.contains("note: nil") && text.contains("tags: Set([])") && text.contains("customer: \"\""))
    #expect(text.components(separatedBy: "Line(").count == 2)
  }

  struct Tree: Codable {
    var value: Int
    var children: [Tree]
  }
  final class Chain: Codable, Sendable {
    let next: Chain?
    var length: Int { 1 + (next?.length ?? 0) }
  }

  @Test("are of bounded size where a type contains itself")
  func recursive() throws {
    @Sendable func size(_ tree: Tree) -> Int { tree.children.reduce(1) { $0 + size($1) } }
    #expect(try search(Gen<Tree>.derived()) { size($0) < 500 }.isHeld)
    let report = try search(Gen<Chain>.derived()) { chain in
      cover("a long chain", chain.length > 3, atLeast: 0.05)
      return chain.length <= 6
    }
    #expect(report.isHeld)
  }

  struct Percentage: Decodable {
    let value: UInt8

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      value = try container.decode(UInt8.self)
      if value > 100 { throw DecodingError.dataCorruptedError(in: container, debugDescription: "above 100") }
    }
  }

  @Test("give only values that decoding accepts")
  func validated() throws {
    let report = try search(Gen<Percentage>.derived()) { $0.value <= 100 }
    #expect(report.isHeld && report.discarded == 0)
  }

  struct Age: Decodable {
    let years: UInt8

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      years = try container.decode(UInt8.self)
      guard (100...102).contains(years) else {
        throw DecodingError.dataCorruptedError(in: container, debugDescription: "not an age")
      }
    }
  }
  struct Family: Decodable { let ages: [Age], eldest: Age, youngest: Age }

  @Test("of a checked part are found where one value in a hundred fits, however many parts a case has")
  func scarce() throws {
    for seed in 0..<UInt64(3) {
      let report = try search(Gen<Family>.derived(), settings: CheckSettings(cases: 30, seed: seed)) { _ in }
      #expect(report.isHeld && report.discarded == 0, "\(report.text())")
    }
  }

  struct Spans: Codable {
    let a: Range<Int>, b: Range<Int>, c: ClosedRange<Date>
    let all: [Range<String>]
  }

  @Test("of ranges are in order, in any number of ranges")
  func ranges() throws {
    for seed in 0..<UInt64(20) {
      let report = try search(Gen<Spans>.derived(), settings: CheckSettings(seed: seed)) { spans in
        cover("an element", !spans.a.isEmpty, atLeast: 0.5)
        cover("another order", spans.a.lowerBound > spans.b.upperBound, atLeast: 0.05)
      }
      #expect(report.isHeld)
    }
  }

  struct Meeting: Codable {
    let interval: DateInterval, zone: TimeZone, calendar: Calendar, locale: Locale
    let price: Decimal, indices: IndexSet, address: URL, parts: URLComponents, path: IndexPath, letters: CharacterSet
    let number: Int128
  }

  @Test("of Foundation's types are those that their initialisers make, and vary")
  func foundation() throws {
    let report = try search(Gen<Meeting>.derived(), settings: CheckSettings(cases: 300)) { meeting in
      classify("zone", by: meeting.zone.identifier)
      classify("locale", by: meeting.locale.identifier)
      classify("calendar", by: "\(meeting.calendar.identifier)")
      cover("rows", meeting.indices.count > 1, atLeast: 0.3)
      cover("a fraction", meeting.price.exponent < 0 && meeting.price.isFinite, atLeast: 0.2)
      cover("a query", meeting.address.query != nil, atLeast: 0.2)
      try require(meeting.interval.start <= meeting.interval.end && meeting.price.isFinite)
      let again = try JSONDecoder().decode(Meeting.self, from: JSONEncoder().encode(meeting))
      try require(
        again.interval == meeting.interval && again.price == meeting.price && again.indices == meeting.indices)
    }
    #expect(report.isHeld && report.coverage.allSatisfy { $0.verdict != .fails }, "\(report.text())")
    #expect(report.tables.allSatisfy { $0.rows.count >= 10 })
    #expect(try search(Gen<IndexSet>.derived()) { _ in }.isHeld)
  }

  enum Colour: String, Codable { case red, green, blue }
  enum Only: String, Codable { case one }
  enum Shape: Codable, Equatable {
    case circle(radius: Double), square(side: Double, Colour), empty
    enum CodingKeys: String, CodingKey {
      case empty = "nothing"
      case circle, square
    }
  }
  indirect enum Formula: Codable {
    case sum(Formula, Formula), minus(of: Formula), number(Int)
    var depth: Int {
      switch self {
      case .sum(let left, let right): 1 + max(left.depth, right.depth)
      case .minus(let inner): 1 + inner.depth
      case .number: 1
      }
    }
  }
  struct Drawing: Codable { let shapes: [Shape], colour: Colour, only: Only, formula: Formula }

  @Test("of enumerations have every case, with payloads or without, and end where a case contains its type")
  func enumerations() throws {
    let report = try search(Gen<Drawing>.derived(), settings: CheckSettings(cases: 300)) { drawing in
      classify("colour", by: drawing.colour.rawValue)
      for shape in drawing.shapes { classify("shape", by: "\(shape)".prefix { $0 != "(" }) }
      classify("depth", by: drawing.formula.depth)
      let again = try JSONDecoder().decode(Drawing.self, from: JSONEncoder().encode(drawing))
      try require(again.shapes == drawing.shapes)
    }
    #expect(report.isHeld)
    #expect(report.tables.map { Set($0.rows.map(\.name)).count } == [3, 5, 3])
    #expect(report.tables.first { $0.name == "depth" }?.rows.contains { $0.name == "5" } == true)
  }

  struct Team: Codable, Generable { let name: String, league: League? }
  struct League: Codable, Generable { let teams: [Team] }
  struct Even: Codable, Generable {
    let number: Int
    static var generator: Gen<Even> { Gen<Int>.integers(in: 0...50).map { Even(number: 2 * $0) } }
  }
  struct Evens: Codable { let all: [Even], more: Range<Int>, first: Even? }

  @Test("take the generator of a part that has its own, also where types contain each other")
  func generable() throws {
    #expect(try search(Gen<Evens>.derived()) { evens in evens.all.allSatisfy { $0.number % 2 == 0 } }.isHeld)
    let report = try search(League.generator) { league in
      cover("a league of a team", league.teams.contains { $0.league?.teams.isEmpty == false }, atLeast: 0.1)
    }
    #expect(report.isHeld)
  }

  struct Code: Codable {
    let text: String
    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      text = try container.decode(String.self)
      guard text.hasPrefix("QX-77") else {
        throw DecodingError.dataCorruptedError(in: container, debugDescription: "no code")
      }
    }
  }
  struct Parcel: Codable { let code: Code }
  final class Endless: Codable, Sendable { let next: Endless }

  @Test("report the coding path of a type without derivable values")
  func refused() throws {
    func obstacle<Value: Decodable & SendableMetatype>(_ type: Value.Type) throws -> String? {
      try search(Gen<Value>.derived()) { _ in }.obstacle?.description
    }
    let parcel = try #require(try obstacle(Parcel.self))
    #expect(
      parcel.hasPrefix(
        "A generator failed: no Parcel can be derived: decoding refuses 'code', with \"no code\"; write"))
    #expect(parcel.contains("write a generator of it, and make the type Generable"))
    let endless = try #require(try obstacle(Endless.self))
    #expect(endless.contains("next.next.next") && endless.contains("it contains itself without an end"))
  }

  @Test("refuse an empty enumeration")
  func never() throws {
    enum Nothing: String, Codable, CaseIterable { case one; static var allCases: [Nothing] { [] } }
    let report = try search(Gen<Nothing>.derived()) { _ in }
    #expect(report.summary == "The generator can produce nothing: Nothing has no cases to choose from.")
  }
}
