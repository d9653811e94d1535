// SPDX-License-Identifier: GPL-3.0-or-later
import CoreJSON
import Foundation
import PropertyTestingHost
import Testing

@Suite("JSON is read strictly, with each value's place")
struct JSONNodeTests {
  /// A value without its place, as Foundation's decoder reads it too.
  enum Plain: Hashable, Decodable {
    case null, bool(Bool), number(Double), string(String), array([Plain]), object([String: Plain]), malformed

    init(from decoder: any Decoder) throws {
      let value = try decoder.singleValueContainer()
      if value.decodeNil() {
        self = .null
      } else if let flag = try? value.decode(Bool.self) {
        self = .bool(flag)
      } else if let number = try? value.decode(Double.self) {
        self = .number(number)
      } else if let text = try? value.decode(String.self) {
        self = .string(text)
      } else if let elements = try? value.decode([Plain].self) {
        self = .array(elements)
      } else {
        self = .object(try value.decode([String: Plain].self))
      }
    }

    init(_ node: JSONNode) {
      self =
        switch node.value {
        case .null: .null
        case .bool(let flag): .bool(flag)
        case .number(let number): .number(number)
        case .string(let text): .string(text)
        case .array(let elements): .array(elements.map(Plain.init))
        case .object(let members):
          .object(Dictionary(uniqueKeysWithValues: members.map { ($0.name, Plain($0.value)) }))
        case .malformed: .malformed
        }
    }
  }

  private static func read(_ bytes: [UInt8], isForgiving: Bool = false) throws(JSONFault) -> JSONNode {
    try JSONNode(parsing: bytes, deepest: 100, isForgiving: isForgiving)
  }

  /// Documents of all shapes, with every escape, white space and spelling of numbers.
  private static var documents: Gen<[UInt8]> {
    let leaf = Gen<String>.oneOf(
      .elements(of: [
        "null", "true", "false", "-0", "1E+2", "0.10e-3", "18446744073709551615",
        #""\"\\\/\b\f\n\r\t\u00fc\uD83C\udca1""#,
      ]),
      Gen<Double>.doubles().map { "\($0)" }, Gen<Int>.integers().map { "\($0)" },
      Gen<String>.strings().map { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) })
    let text = Gen.recursive(leaf, depth: 4) { smaller in
      zip(.arrays(of: smaller, count: 0...4), .booleans(), .elements(of: ["", " ", "\n\t", "\r\n"])).map {
        (parts, isArray, space) in
        let comma = "\(space),\(space)"
        return isArray
          ? "[\(space)\(parts.joined(separator: comma))\(space)]"
          : "{\(space)\(parts.enumerated().map { "\"\($0)\"\(space):\($1)" }.joined(separator: comma))\(space)}"
      }
    }
    return text.map { Array($0.utf8) }
  }

  @Test("a valid document is read as Foundation's decoder reads it, with each value at its place")
  func sound() async throws {
    try await check(Self.documents) { bytes in
      let root = try Self.read(bytes)
      #expect(Plain(root) == (try JSONDecoder().decode(Plain.self, from: Data(bytes))))
      for node in root.elements + root.members.map(\.value) {
        #expect(Plain(try Self.read(Array(bytes[node.bytes]))) == Plain(node))
        #expect(node.line == 1 + bytes[..<node.bytes.lowerBound].count { $0 == UInt8(ascii: "\n") })
      }
    }
  }

  @Test("damaged bytes are refused within the document, or read as Foundation's decoder and the forgiving reader do")
  func damaged() async throws {
    try await check(.damaged(Self.documents, splinters: ["1x", ",]", "\"0\":", "\u{1}"]), cases: 1000) { bytes in
      let forgiven = try? Self.read(bytes, isForgiving: true)
      do throws(JSONFault) {
        let read = Plain(try Self.read(bytes))
        #expect(read == (try? JSONDecoder().decode(Plain.self, from: Data(bytes))))
        #expect(read == forgiven.map(Plain.init))
      } catch {
        #expect(error.bytes.upperBound <= bytes.count)
        #expect(error.line == 1 + bytes[..<error.bytes.upperBound].count { $0 == UInt8(ascii: "\n") })
      }
    }
  }

  @Test(
    "the forgiving reader takes a comma before a bracket, and marks a malformed text or number",
    arguments: [
      ("[1,]", .array([.number(1)])), ("{\"a\": null,}", .object(["a": .null])),
      ("[01, 1x, -, 1e999, 2]", .array(Array(repeating: .malformed, count: 4) + [.number(2)])),
      (#"["\x", "\ud800\"", "a\#tb"]"#, .array(Array(repeating: .malformed, count: 3))),
      ("[1,,]", nil), ("[,]", nil), (#"{"\x": 1}"#, nil), ("[truex]", nil), (#"["\"#, nil),
    ] as [(String, Plain?)])
  func forgiving(text: String, expected: Plain?) {
    let bytes = Array(text.utf8)
    #expect((try? Self.read(bytes, isForgiving: true)).map(Plain.init) == expected)
    #expect((try? Self.read(bytes)) == nil)
  }

  @Test(
    "a text that is not UTF-8, a 101st level and a name that is there twice are refused, a byte order mark is passed")
  func bytes() throws {
    #expect(throws: JSONFault.self) { try Self.read([0x22, 0xC0, 0x80, 0x22]) }
    #expect(try Self.read([0xEF, 0xBB, 0xBF, 0x31]).bytes == 3..<4)
    let nested = { (depth: Int) in [("[", depth), ("]", depth)].flatMap { String(repeating: $0, count: $1).utf8 } }
    #expect(try Self.read(nested(100)).elements.count == 1)
    #expect(throws: JSONFault.self) { try Self.read(nested(101)) }
    let names = (1...40).map { "\"\($0)\": 0" }
    for last in [2, 39] {
      let fault = #expect(throws: JSONFault.self) {
        try Self.read(Array("{\((names + ["\"\(last)\": 1"]).joined(separator: ",\n"))}".utf8))
      }
      if case .repeated("\(last)")? = fault?.kind { #expect(fault?.line == 41) } else { Issue.record("\(last)") }
    }
  }
}
