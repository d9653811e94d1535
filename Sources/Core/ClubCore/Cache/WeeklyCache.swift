// SPDX-License-Identifier: Apache-2.0

/// Snapshots on disk: what was fetched last is served without a connection, with its age, and fourteen days are kept.
///
/// Each snapshot is a file of its own, staged, synchronised and renamed: an interrupted write leaves the ones before it
/// as they were. A file that is not what was written is set aside as `*.damaged`, reported, and the one before it is
/// served. Several processes may use one folder at once: no two contents share a name, and none is written in place.
public struct WeeklyCache: Hashable, Sendable {
  /// The folder.
  public let folder: String
  /// How many days snapshots are kept.
  public let days: Int

  /// What a search for a snapshot came to.
  public struct Lookup: Hashable, Sendable {
    /// The newest whole one; nil where there is none.
    public let snapshot: CachedSnapshot?
    /// What was found damaged and set aside on the way, or could not be read.
    public let problems: [ClubError]
  }

  /// A cache.
  ///
  /// - Parameters:
  ///   - folder: The folder; it is made with the first snapshot.
  ///   - days: How many days snapshots are kept, 1 to 10,000; bounded.
  public init(folder: String, keeping days: Int = 14) {
    (self.folder, self.days) = (folder, min(max(days, 1), 10_000))
  }

  /// Keeps a snapshot, and removes what need not be kept any longer.
  ///
  /// - Parameters:
  ///   - bytes: The content.
  ///   - name: What it is a snapshot of: 1 to 64 of a-z, 0-9, `-` and `_`.
  ///   - schema: The version of what the bytes mean.
  ///   - now: When it was fetched.
  /// - Throws: `ClubError.badValue` for the name, `ClubError.unusableCache` where the folder cannot be written to;
  ///   what was kept before is kept still then.
  public func store(_ bytes: [UInt8], as name: String, schema: Int, at now: Moment) throws(ClubError) {
    try check(name)
    let snapshot = CachedSnapshot(name: name, fetched: now, schema: schema, bytes: bytes)
    try CacheFolder.write(
      SnapshotFile.encode(snapshot),
      staged: CacheName.partial(of: snapshot, writer: CacheFolder.uniqueText()),
      as: CacheName.file(of: snapshot), in: folder)
    try prune(at: now)
  }

  /// The newest whole snapshot of a name and a schema; ones from the future stand behind all others, for a clock that
  /// was wrong for a day must not hide what comes after it.
  ///
  /// - Parameters:
  ///   - name: What it is a snapshot of.
  ///   - schema: The version that the reader understands; others are left alone.
  ///   - now: What the clock says.
  /// - Returns: The snapshot, and what was found damaged on the way.
  /// - Throws: `ClubError.badValue` for the name, `ClubError.unusableCache` where the folder cannot be read.
  public func newest(_ name: String, schema: Int, at now: Moment) throws(ClubError) -> Lookup {
    try check(name)
    var problems: [ClubError] = []
    let files = try files(.snapshot).filter { $0.key.name == name && isKept($0.key, at: now) }
    for file in Self.ordered(files, at: now) {
      do throws(ClubError) {
        guard let snapshot = try snapshot(in: file), snapshot.schema == schema else { continue }
        return Lookup(snapshot: snapshot, problems: problems)
      } catch {
        problems.append(error)
      }
    }
    return Lookup(snapshot: nil, problems: problems)
  }

  /// Removes what is older than the days kept; of each day before the last 24 hours all but the newest of each name;
  /// what was set aside that long ago; and what writers that came to an end left unfinished a day ago.
  ///
  /// - Parameter now: What the clock says.
  /// - Returns: The names of the files removed, sorted.
  /// - Throws: `ClubError.unusableCache` where the folder cannot be read.
  @discardableResult
  public func prune(at now: Moment) throws(ClubError) -> [String] {
    let lastDay = now.bounded.adding(seconds: -86_400)
    var gone = try files(.partial).filter { $0.key.fetched < lastDay || !isKept($0.key, at: now) }.map(\.file)
    gone += try files(.damaged).filter { !isKept($0.key, at: now) }.map(\.file)
    var seen: Set<String> = []
    for (file, key) in try files(.snapshot).sorted(by: { Self.isNewer($0.key, $1.key) }) {
      let day = CivilDate.floorDivided(key.fetched.bounded.seconds, by: 86_400)
      let isFirst = seen.insert("\(key.name) \(day)").inserted
      if !isKept(key, at: now) || (key.fetched < lastDay && !isFirst) { gone.append(file) }
    }
    return gone.filter { CacheFolder.remove("\(folder)/\($0)") }.sorted()
  }
}

extension WeeklyCache {
  private typealias Found = (file: String, key: CacheName)

  private func check(_ name: String) throws(ClubError) {
    guard CacheName.isName(name) else {
      throw .badValue(field: "snapshot name", found: "'\(name)'", expected: "1 to 64 of a-z, 0-9, - and _")
    }
  }

  private func files(_ kind: CacheName.Kind) throws(ClubError) -> [Found] {
    try CacheFolder.names(in: folder).compactMap { file in
      CacheName(file: file).flatMap { $0.kind == kind ? (file, $0) : nil }
    }
  }

  /// Whether a file's moment is within the days kept, either way.
  private func isKept(_ key: CacheName, at now: Moment) -> Bool {
    abs(key.fetched.bounded.milliseconds - now.bounded.milliseconds) <= days * 86_400_000
  }

  private static func isNewer(_ left: CacheName, _ right: CacheName) -> Bool {
    left.fetched != right.fetched ? left.fetched > right.fetched : left.check > right.check
  }

  /// The newest first, then those from the future, the nearest first.
  private static func ordered(_ files: [Found], at now: Moment) -> [String] {
    let past = files.filter { $0.key.fetched <= now }.sorted { isNewer($0.key, $1.key) }
    let future = files.filter { $0.key.fetched > now }.sorted { isNewer($1.key, $0.key) }
    return (past + future).map(\.file)
  }

  /// The snapshot in a file; nil where another process has removed it. A damaged one is set aside.
  private func snapshot(in file: String) throws(ClubError) -> CachedSnapshot? {
    let path = "\(folder)/\(file)"
    guard let bytes = try CacheFolder.read(path) else { return nil }
    let cause: String
    do throws(SnapshotFile.Damage) {
      let snapshot = try SnapshotFile.decode(bytes)
      if CacheName.file(of: snapshot) == file { return snapshot }
      cause = "its name is not that of its content"
    } catch {
      cause = error.cause
    }
    let aside = path + CacheName.damagedSuffix
    throw .damagedSnapshot(path: path, cause: cause, aside: CacheFolder.rename(path, to: aside) ? aside : nil)
  }
}
