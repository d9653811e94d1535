// SPDX-License-Identifier: GPL-3.0-or-later
import Reporting
import Testing

@Suite("JSON is read strictly, and errors have line and column")
struct JSONParsingTests {
  private func problem(_ text: String) -> String {
    do {
      return "no error: \(try JSONValue(parsing: text, file: "r.json"))"
    } catch {
      return error.description
    }
  }

  @Test("every printed document reads back as itself")
  func roundTrip() throws {
    var documents = RandomDocuments(seed: 1)
    for _ in 0..<3000 {
      let value = documents.value(depth: 4)
      #expect(try JSONValue(parsing: value.text) == value, "\(value.text)")
    }
  }

  @Test("numbers keep their values: integers, seeds of 64 bits, fractions, exponents")
  func numbers() throws {
    let text = "[0, -7, 9223372036854775808, 18446744073709551615, 18446744073709551616, 1.50, -0, 2e3]"
    let expected: [JSONValue] = [
      .integer(0), .integer(-7), .unsigned(1 << 63), .unsigned(.max), .number(0x1p64), .number(1.5), .number(-0.0),
      .number(2000),
    ]
    #expect(try JSONValue(parsing: text) == .array(expected))
  }

  @Test(
    "what is no JSON is refused where it goes wrong",
    arguments: [
      ("", "r.json:1:1: not JSON: the text ends where a value is expected."),
      ("{\n  \"a\": 1,\n}", "r.json:3:1: not JSON: expected a key in quotation marks."),
      ("[1, 2,]", "r.json:1:7: not JSON: expected a value."), ("[1 2]", "r.json:1:4: not JSON: expected ',' or ']'."),
      ("[\"üü\", x]", "r.json:1:8: not JSON: expected a value."),
      ("{\"a\" 1}", "r.json:1:6: not JSON: expected ':' after the key 'a'."),
      ("{\"a\": 1, \"a\": 2}", "r.json:1:10: not JSON: the key 'a' stands here a second time."),
      ("{\"a\": 1", "r.json:1:8: not JSON: expected ',' or '}'."),
      ("1 2", "r.json:1:3: not JSON: found more after the end of the value."),
      ("01", "r.json:1:1: not JSON: expected a number without leading zeros."),
      ("-", "r.json:1:1: not JSON: expected a number without leading zeros."),
      ("1.", "r.json:1:3: not JSON: expected digits behind the point."),
      ("1e+", "r.json:1:4: not JSON: expected the digits of the exponent."),
      ("[1e999]", "r.json:1:2: not JSON: the number 1e999 is out of range."), ("nul", "expected a value"),
      ("NaN", "expected a value"), ("\"abc", "r.json:1:1: not JSON: the text that begins here has no end."),
      ("\"a\tb\"", "r.json:1:3: not JSON: a control character in a text"),
      ("\"\\x\"", "r.json:1:2: not JSON: an unknown escape"),
      ("\"\\u12g4\"", "expected four hexadecimal digits after \\u"),
      ("\"\\ud800\"", "r.json:1:2: not JSON: half of a surrogate pair."),
      ("\"\\ud800\\u0041\"", "half of a surrogate pair"), ("\"\\udc00\"", "half of a surrogate pair"),
      ("// x\n1", "r.json:1:1: not JSON: expected a value."),
    ])
  func refused(text: String, expected: String) {
    #expect(problem(text).contains(expected), "\(problem(text))")
  }

  @Test("nesting is refused before it exhausts the stack")
  func nesting() throws {
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    #expect(try JSONValue(parsing: nested(129)).text.hasPrefix("[\n"))
    #expect(problem(nested(130)).contains("r.json:1:130: not JSON: nested more than 128 deep"))
    #expect(problem(String(repeating: "[", count: 1_000_000)).contains("nested more than 128 deep"))
  }
}

@Suite("Values of a JSON document are read with their place")
struct JSONFieldTests {
  private let field = JSONField(
    ["runs": .array([["seed": .unsigned(.max), "name": "x", "share": 1, "none": .null, "done": .bool(true)]])],
    file: "r.json")

  @Test("members are read by key; others are ignored")
  func members() throws {
    let run = try field.required("runs").elements()[0]
    #expect(try run.required("seed").value == .unsigned(.max))
    #expect(try run.required("name").string() == "x")
    #expect(try run.required("share").number(in: 0...1) == 1)
    #expect(try run.required("share").integer(in: 0...5) == 1)
    #expect(try run.required("done").bool())
    #expect(try run.required("none").figure().isNaN)
    #expect(try run.member("more") == nil)
  }

  @Test("a missing value or one of another type is reported with its whole path")
  func problems() throws {
    let run = try field.required("runs").elements()[0]
    #expect(throws: ReportingError.badMember(file: "r.json", field: "runs[1].x", found: "nothing", expected: "a value"))
    {
      try run.required("x")
    }
    #expect(
      throws: ReportingError.badMember(file: "r.json", field: "runs[1].name", found: "'x'", expected: "a whole number")
    ) {
      try run.required("name").integer()
    }
    #expect(throws: ReportingError.self) { try run.required("seed").integer() }
    #expect(throws: ReportingError.self) { try run.required("share").integer(in: 2...5) }
    #expect(throws: ReportingError.self) { try field.elements() }
    #expect(throws: ReportingError.self) { try run.required("name").member("x") }
  }
}
