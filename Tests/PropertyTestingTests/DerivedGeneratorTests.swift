// SPDX-License-Identifier: GPL-3.0-or-later
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
      try claim(again.lines == order.lines && again.tags == order.tags && again.id == order.id)
    }
    #expect(report.isHeld && report.coverage.allSatisfy { $0.verdict != .fails })
  }

  @Test("shrink part by part")
  func shrinks() throws {
    let property = Property("derived.1", "No line is of many", Gen<Order>.derived()) { order in
      try claim(!order.lines.contains { $0.count > 100 && $0.kind == .express }, "many")
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

  enum Shape: Codable { case circle(radius: Double), square(side: Double) }
  enum Colour: String, Codable { case red, green }
  struct Drawing: Codable { let shapes: [Int: Shape] }
  struct Wall: Codable { let colour: Colour }
  final class Endless: Codable, Sendable { let next: Endless }

  @Test("report the coding path of a type without derivable values")
  func refused() throws {
    func obstacle<Value: Decodable & SendableMetatype>(_ type: Value.Type) throws -> String? {
      try search(Gen<Value>.derived()) { _ in }.obstacle?.description
    }
    let wall = try #require(try obstacle(Wall.self))
    #expect(
      wall.hasPrefix("A generator failed: no Wall can be derived: decoding refuses 'colour', with \"Cannot initialize"))
    #expect(wall.contains("write a generator of it, or make the enumeration CaseIterable"))
    let shape = try #require(try obstacle(Shape.self))
    #expect(shape.contains("no Shape can be derived: decoding refuses it, with \"Invalid number of keys found"))
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
