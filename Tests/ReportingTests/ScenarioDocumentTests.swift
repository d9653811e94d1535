// SPDX-License-Identifier: GPL-3.0-or-later
import Reporting
import Testing

@Suite("A scenario is read strictly, and errors have their place")
struct ScenarioDocumentTests {
  private func message(_ yaml: String, _ read: (ScenarioField) throws -> Void = { _ in }) -> String? {
    do {
      try read(ScenarioDocument(yaml: yaml, file: "s.yaml").root)
      return nil
    } catch {
      return "\(error)"
    }
  }

  @Test("a byte order mark is no part of a scenario, and lines are counted as without it")
  func byteOrderMark() throws {
    let field = try ScenarioDocument(yaml: "\u{FEFF}name: x\n", file: "s.yaml").root
    #expect(try field.member("name")?.string() == "x")
    #expect(message("\u{FEFF}name: x\nname: y\n")?.hasPrefix("s.yaml:2: name: found a second time") == true)
  }

  @Test("far too many keys and too many bytes are refused in one line")
  func tooMuch() throws {
    let keys = (0..<300).map { "k\($0): 1\n" }.joined()
    let problem = try #require(message(keys) { _ = try $0.mapping(keys: ["name", "kind"]) })
    #expect(problem == "s.yaml:1: keys: found 300 keys, expected some of name, kind.")
    let large = try #require(message("name: " + String(repeating: "x", count: 5_000_000)))
    #expect(large == "s.yaml:1: size: found 5,000,006 bytes, expected at most 1,048,576.")
  }

  @Test("a misspelt key is reported with its line and the closest key")
  func misspelt() {
    let yaml = "name: x\nconfidnce: 0.9\n"
    #expect(
      message(yaml) { _ = try $0.mapping(keys: ["name", "confidence"]) }
        == "s.yaml:2: confidnce: unknown key; did you mean 'confidence'? Known here: name, confidence.")
  }

  @Test("a repeated key is refused with the line of the second")
  func repeated() {
    #expect(
      message("name: x\nrules: a\nother:\n  name: inner\nname: y\n")
        == "s.yaml:5: name: found a second time, expected each key once.")
  }

  @Test(
    "so is one that is a list or a mapping", arguments: ["? [a, b]\n: c\n? [a, b]\n: d\n", "{{a: b}: c, {a: b}: d}\n"])
  func repeatedCollection(yaml: String) throws {
    let problem = try #require(message("# a comment\n" + yaml))
    #expect(problem.hasPrefix("s.yaml:2: a list or a mapping as a key: found a second time"), "\(problem)")
  }

  @Test("a control character is reported with its line", arguments: ["\n", "\r\n"])
  func controlCharacter(end: String) {
    #expect(
      message(["name: ü", "kind: \u{1B}[31m", "b: \u{1B}"].joined(separator: end))
        == "s.yaml:2: not YAML: control characters are not allowed (U+1B).")
  }

  @Test("a value of megabytes is quoted by its beginning, without a suggestion")
  func longValue() {
    let long = String(repeating: "x", count: 1_000_000)
    let quoted = "'\(String(repeating: "x", count: 80))…' (1,000,000 bytes)"
    #expect(
      message("k: \(long)\n") { root in
        _ = try root.mapping(keys: ["k"]).required("k", expected: "x").choice(among: ["simulate", "exact"])
      } == "s.yaml:1: k: found \(quoted), expected one of simulate, exact.")
    #expect(message("k: 1\n\(long): 2\n") { _ = try $0.mapping(keys: ["k"]) }.map(\.count).map { $0 < 200 } ?? false)
  }

  @Test("invalid YAML is reported with its line")
  func notYAML() {
    #expect(message("name: [1, 2\nrules: x\n")?.hasPrefix("s.yaml:2: not YAML: ") == true)
    #expect(message("")?.contains("the file is empty") == true)
    #expect(message("a: 1\n---\nb: 2\n")?.contains("not YAML") == true)
  }

  @Test("a nested value is reported with its whole path")
  func nested() {
    let yaml = "expectations:\n  - ev:\n      low: high\n"
    let problem = message(yaml) { root in
      let members = try root.mapping(keys: ["expectations"]).required("expectations", expected: "a list").members
      let ev = try members[0].mapping(keys: ["ev"]).required("ev", expected: "an interval")
      _ = try ev.mapping(keys: ["low"]).required("low", expected: "a number").number()
    }
    #expect(problem == "s.yaml:3: expectations[1].ev.low: found 'high', expected a number.")
  }

  @Test("a value that is not a text is reported with its type", arguments: [("[1]", "a list"), ("", "nothing")])
  func noText(text: String, found: String) {
    #expect(
      message("n: \(text)\n") { _ = try $0.mapping(keys: ["n"]).required("n", expected: "x").string() }
        == "s.yaml:1: n: found \(found), expected a text.")
  }

  @Test("a misspelt word suggests the right one")
  func choices() {
    #expect(
      message("k: exakt\n") {
        _ = try $0.mapping(keys: ["k"]).required("k", expected: "x").choice(among: ["simulate", "exact"])
      } == "s.yaml:1: k: found 'exakt', expected one of simulate, exact (did you mean 'exact'?).")
  }

  @Test("valid values are read: numbers, lists of one, absent keys")
  func right() throws {
    let root = try ScenarioDocument(yaml: "rules: 6d\np: 0.5\n", file: "s.yaml").root
    let map = try root.mapping(keys: ["rules", "p", "name"])
    #expect(try map["rules"]?.members.map { try $0.string() } == ["6d"])
    #expect(try map["p"]?.number() == 0.5)
    #expect(map["name"] == nil)
    #expect(throws: ReportingError.missingKey(file: "s.yaml", line: 1, field: "name", expected: "a name")) {
      try map.required("name", expected: "a name")
    }
  }
}
