// SPDX-License-Identifier: GPL-3.0-or-later
import MonteCarlo
import Reporting
import Testing

@Suite("A value printed as YAML reads back as the same scenario")
struct YAMLTests {
  @Test("mappings and lists have a line each, short lists of plain values share one")
  func layout() {
    let value: JSONValue = [
      "name": "Coins: fair ones", "rules": .array(["6d-s17-das", "8d"]), "random": ["generator": "mt19937", "seed": 1],
      "thresholds": .array(["ev[6d] >= 0.5 at 0.99", ["threshold": "a == 0", "source": "the manual"]]),
      "none": .array([]),
    ]
    #expect(
      value.yaml == """
        name: "Coins: fair ones"
        rules: [6d-s17-das, "8d"]
        random:
          generator: mt19937
          seed: 1
        thresholds:
          - ev[6d] >= 0.5 at 0.99
          - threshold: a == 0
            source: the manual
        none: []

        """)
  }

  @Test(
    "texts that YAML reads as something else are quoted", arguments: ["yes", "NULL", "1e9", "0x1F", "0o7", "12:30", ""])
  func quoted(text: String) {
    #expect(JSONValue.object([JSONMember("a", .string(text))]).yaml == "a: \"\(text)\"\n")
  }

  @Test("every printed document is read back by the reader of scenarios")
  func roundTrip() throws {
    var documents = RandomDocuments(seed: 2)
    for _ in 0..<3000 {
      let value = documents.object(depth: 4)
      let root = try ScenarioDocument(yaml: value.yaml, file: "s.yaml").root
      #expect(try differences(value, root, at: "") == [], "\(value.yaml)")
    }
  }

  /// Where a field is not the value: scenarios read plain values as texts.
  private func differences(_ value: JSONValue, _ field: ScenarioField, at path: String) throws -> [String] {
    switch value {
    case .object(let members):
      guard field.isMapping else { return ["\(path) is no mapping"] }
      let map = try field.mapping(keys: members.map(\.key))
      return try members.flatMap { member in
        guard let field = map[member.key] else { return ["\(path).\(member.key) is missing"] }
        return try differences(member.value, field, at: "\(path).\(member.key)")
      }
    case .array(let values):
      guard field.isList, field.members.count == values.count else { return ["\(path) is no list of \(values.count)"] }
      return try zip(values, field.members).flatMap { try differences($0, $1, at: path + "[]") }
    case .string(""):
      // The reader takes an empty text for nothing.
      return field.isList || field.isMapping ? ["\(path) is not plain"] : []
    case .string(let text):
      return try field.string().unicodeScalars.elementsEqual(text.unicodeScalars) ? [] : ["\(path): \(text)"]
    default:
      return try field.string() == String(value.text.dropLast()) ? [] : ["\(path): \(value.text)"]
    }
  }
}

@Suite("A fingerprint is FNV-1a")
struct FingerprintTests {
  @Test(
    "the published values of the 64-bit hash come out",
    arguments: [
      ("", 0xcbf2_9ce4_8422_2325), ("a", 0xaf63_dc4c_8601_ec8c), ("b", 0xaf63_df4c_8601_f1a5),
      ("foobar", 0x8594_4171_f739_67e8),
    ] as [(String, UInt64)])
  func published(text: String, hash: UInt64) {
    #expect(fnv1a(text.utf8) == hash)
  }

  @Test("its short form is the two halves folded, in eight digits")
  func folded() {
    #expect(Fingerprint.short("a") == "296230c0")
    #expect(Fingerprint.short("") == "4fd0bfc1")
  }
}
