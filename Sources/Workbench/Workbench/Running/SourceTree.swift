// SPDX-License-Identifier: GPL-3.0-or-later
internal import Archive
internal import COpenSSL
internal import Foundation
internal import Reporting

/// The sources of this binary, if it is still in their `.build`.
enum SourceTree {
  private static let binary = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""

  /// The package's folder; `nil` for a binary that was installed or copied elsewhere.
  static let root: String? = {
    let parts = binary.split(separator: "/")
    guard let build = parts.lastIndex(of: ".build") else { return nil }
    let root = "/" + parts[..<build].joined(separator: "/")
    return FileManager.default.fileExists(atPath: root + "/Package.swift") ? root : nil
  }()

  /// The commit and whether there are further changes; the binary's digest in any case.
  ///
  /// The commit is that of the work tree, if no source is newer than the binary: then the binary was built from these
  /// sources. A checkout makes the files that it changes newer.
  static func build() -> RunRecord.Build {
    guard let root,
      let newer = output("find", sources.map { "\(root)/\($0)" } + ["-newer", binary, "-print", "-quit"]),
      newer.isEmpty, let commit = commit("HEAD"),
      let changes = git(["--no-optional-locks", "status", "--porcelain", "--untracked-files=normal", "--"] + sources)
    else { return RunRecord.Build(binary: digest) }
    return RunRecord.Build(commit: commit, isChanged: !changes.isEmpty, binary: digest)
  }

  /// The SHA-256 of this program, as `sha256sum` prints it, read a mebibyte at a time: mapped as a whole, the program
  /// would count twice in the memory of every run.
  private static var digest: String? {
    guard let file = FileHandle(forReadingAtPath: "/proc/self/exe"), let context = unsafe EVP_MD_CTX_new() else {
      return nil
    }
    defer { unsafe EVP_MD_CTX_free(context) }
    guard unsafe EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1 else { return nil }
    do {
      while let piece = try file.read(upToCount: 1 << 20), !piece.isEmpty {
        let isRead = unsafe piece.withUnsafeBytes { unsafe EVP_DigestUpdate(context, $0.baseAddress, $0.count) }
        guard isRead == 1 else { return nil }
      }
    } catch {
      return nil
    }
    var digest = [UInt8](repeating: 0, count: 32)
    guard unsafe EVP_DigestFinal_ex(context, &digest, nil) == 1 else { return nil }
    return digest.map { String(format: "%02x", $0) }.joined()
  }

  private static let sources = ["Package.swift", "Sources"]

  /// The full hash of a commit by any name that git knows, in the sources' work tree, or for an installed binary in the
  /// working folder's; `nil` if there is none.
  static func commit(_ name: String) -> String? {
    git(["rev-parse", "--verify", "--quiet", "--end-of-options", "\(name)^{commit}"])
      .map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
  }

  private static func git(_ arguments: [String]) -> String? { output("git", ["-C", root ?? "."] + arguments) }

  private static func output(_ program: String, _ arguments: [String]) -> String? {
    // A git hook sets variables that name another work tree.
    let environment = ProcessInfo.processInfo.environment.filter { name, _ in !name.hasPrefix("GIT_") }
    return InstalledProgram.output(of: program, arguments, environment: environment)
  }
}

extension RunRecord.Build {
  /// The code that runs in this process, examined once.
  static let current = SourceTree.build()
}

/// A run as the user names it: by a name of the history or by a commit.
enum NamedRun {
  case run(RecordedRun)
  case commit(hash: String, isChanged: Bool, name: String)

  init(_ name: String, in history: History) throws {
    do throws(ArchiveError) {
      self = .run(try history.run(named: name))
    } catch {
      guard case .history(_, .noSuchRun) = error else { throw error }
      if let hash = SourceTree.commit(name) {
        self = .commit(hash: hash, isChanged: false, name: name)
      } else if name.hasSuffix("+"), let hash = SourceTree.commit(String(name.dropLast())) {
        self = .commit(hash: hash, isChanged: true, name: name)
      } else {
        throw error
      }
    }
  }

  /// The named runs, the newest first, of one scenario if `slug` names it.
  func runs(of slug: String? = nil, in history: History) throws -> [RecordedRun] {
    switch self {
    case .run(let run): [run]
    case .commit(let hash, let isChanged, let name):
      try history.runs(at: RunRecord.Build(commit: hash, isChanged: isChanged), named: name, of: slug)
    }
  }

  /// The newest run of each name; if commits leave the choice, both of one scenario.
  static func pair(
    _ before: String, _ after: String, in history: History
  ) throws -> (RecordedRun, RecordedRun) {
    let (one, other) = (try NamedRun(before, in: history), try NamedRun(after, in: history))
    let (earlier, later) = (try one.runs(in: history), try other.runs(in: history))
    for run in later {
      if let match = earlier.first(where: { $0.slug == run.slug }) { return (match, run) }
    }
    return switch one {
    case .run(let run): (run, try other.runs(of: run.slug, in: history)[0])
    case .commit: (try one.runs(of: later[0].slug, in: history)[0], later[0])
    }
  }
}
