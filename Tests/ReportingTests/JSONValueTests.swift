// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Reporting
import Testing

@Suite("JSON keeps the order given and the numbers exact")
struct JSONValueTests {
  @Test("a long list of plain values fills lines")
  func lists() throws {
    let value: JSONValue = ["list": .array((1...60).map { .integer($0) }), "after": 1]
    let lines = value.text.split(separator: "\n")
    #expect(lines.count < 12 && lines.allSatisfy { $0.count <= 100 })
    #expect(try JSONValue(parsing: value.text) == value)
  }

  @Test("short leaves share a line, everything else has its own")
  func layout() {
    let value: JSONValue = [
      "z": 1, "a": .array([.integer(1), .null, .bool(true)]), "empty": .array([]),
      "deep": .array([["x": .fixed(0.5, decimals: 3)]]),
    ]
    #expect(
      value.text == """
        {
          "z": 1,
          "a": [1, null, true],
          "empty": [],
          "deep": [
            {"x": 0.500}
          ]
        }

        """)
  }

  @Test("every string reads back as itself")
  func strings() throws {
    let text = "quote \" backslash \\ line\nend\r\ttab \u{1} ünïcode 🂡 \r\n"
    let data = Data(JSONValue.array([.string(text)]).text.utf8)
    #expect(try JSONSerialization.jsonObject(with: data) as? [String] == [text])
  }

  @Test("whole doubles have no point, infinite ones are null, seeds keep 64 bits")
  func numbers() {
    let values: [JSONValue] = [
      .number(2), .number(0.1), .number(.nan), .fixed(.infinity, decimals: 2), .unsigned(.max),
      .fixed(-0.0, decimals: 1),
    ]
    #expect(JSONValue.array(values).text == "[2, 0.1, null, null, 18446744073709551615, 0.0]\n")
  }
}
