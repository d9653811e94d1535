// SPDX-License-Identifier: Apache-2.0

/// The names of a cache's files: `feed.1763824536000.0123456789abcdef.snapshot`, with `.damaged` behind it where it was
/// set aside, and with a dot before it and `.partial` behind it while it is written.
struct CacheName: Hashable {
  let name: String
  let fetched: Moment
  let check: String
  let kind: Kind

  enum Kind: Hashable {
    case snapshot, damaged, partial
  }

  static let damagedSuffix = ".damaged"

  /// The file's parts; nil for a file that is none of the cache's.
  init?(file: String) {
    var parts = file.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    if parts.count == 6, parts[0].isEmpty, parts[5] == "partial" {
      // A dot, the name, the moment, the check, and what makes the writer unique.
      kind = .partial
      parts = Array(parts[1...3]) + ["snapshot"]
    } else if parts.count == 5, parts[4] == "damaged" {
      kind = .damaged
      parts.removeLast()
    } else {
      kind = .snapshot
    }
    guard parts.count == 4, parts[3] == "snapshot", Self.isName(parts[0]), let milliseconds = Int(parts[1]) else {
      return nil
    }
    (name, fetched, check) = (parts[0], Moment(milliseconds: milliseconds), parts[2])
  }

  static func file(of snapshot: CachedSnapshot) -> String {
    "\(snapshot.name).\(snapshot.fetched.milliseconds).\(SnapshotFile.check(of: snapshot)).snapshot"
  }

  /// Where a file is written before it gets its name.
  static func partial(of snapshot: CachedSnapshot, writer: String) -> String {
    "." + file(of: snapshot).dropLast("snapshot".count) + "\(writer).partial"
  }

  /// Whether a text may name a snapshot: 1 to 64 of a-z, 0-9, `-` and `_`, so that no name leads out of the folder.
  static func isName(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count)
      && text.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D || $0 == 0x5F }
  }
}
