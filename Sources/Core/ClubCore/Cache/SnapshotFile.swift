// SPDX-License-Identifier: Apache-2.0

/// The form of a kept snapshot: a head of lines, an empty line, and the content.
///
///     club snapshot 1
///     name: feed
///     schema: 3
///     fetched: 1763824536000
///     bytes: 2048
///     check: 0123456789abcdef
///
/// The check covers the other lines and the content: 64 bits of FNV-1a, whose steps are one-to-one, so that one changed
/// byte never goes unseen. It guards against damage, not against malice.
enum SnapshotFile {
  private static let title = "club snapshot 1"

  static func encode(_ snapshot: CachedSnapshot) -> [UInt8] {
    let head = head(of: snapshot)
    return Array("\(head)check: \(check(head, snapshot.bytes))\n\n".utf8) + snapshot.bytes
  }

  /// The snapshot; what is wrong with the bytes, for a person, where they are none.
  static func decode(_ bytes: [UInt8]) throws(Damage) -> CachedSnapshot {
    var rest = bytes[...]
    guard line(&rest) == title else { throw Damage("it does not begin with '\(title)'") }
    guard let name = field("name", &rest), CacheName.isName(name), let schema = number("schema", &rest),
      let fetched = number("fetched", &rest), let count = number("bytes", &rest), let found = field("check", &rest),
      line(&rest) == ""
    else { throw Damage("its head is not whole") }
    guard rest.count == count else { throw Damage("it has \(rest.count) bytes of content in place of \(count)") }
    let snapshot = CachedSnapshot(
      name: name, fetched: Moment(milliseconds: fetched), schema: schema, bytes: Array(rest))
    // What is read is compared as it would be written: spellings of numbers do not slip through.
    guard encode(snapshot) == bytes else { throw Damage("its check '\(found.prefix(40))' does not fit its content") }
    return snapshot
  }

  /// What is wrong with a kept snapshot.
  struct Damage: Error, Hashable {
    let cause: String

    init(_ cause: String) {
      self.cause = cause
    }
  }

  /// The check of a snapshot's file; part of its name, so that two contents never share a name.
  static func check(of snapshot: CachedSnapshot) -> String { check(head(of: snapshot), snapshot.bytes) }

  private static func head(of snapshot: CachedSnapshot) -> String {
    """
    \(title)
    name: \(snapshot.name)
    schema: \(snapshot.schema)
    fetched: \(snapshot.fetched.milliseconds)
    bytes: \(snapshot.bytes.count)

    """
  }

  /// Source: Fowler, Noll and Vo, "The FNV Non-Cryptographic Hash Algorithm", RFC 9923.
  private static func check(_ head: String, _ content: [UInt8]) -> String {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in head.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    for byte in content { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  private static func line(_ rest: inout ArraySlice<UInt8>) -> String? {
    guard let end = rest.prefix(200).firstIndex(of: 0x0A) else { return nil }
    defer { rest = rest[(end + 1)...] }
    return String(validating: rest[..<end], as: UTF8.self)
  }

  private static func field(_ name: String, _ rest: inout ArraySlice<UInt8>) -> String? {
    guard let line = line(&rest), line.hasPrefix("\(name): ") else { return nil }
    return String(line.dropFirst(name.count + 2))
  }

  private static func number(_ name: String, _ rest: inout ArraySlice<UInt8>) -> Int? {
    field(name, &rest).flatMap { Int($0) }
  }
}
