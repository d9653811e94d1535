// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// The cases that together cover every edge that guided searches have reached: one text file for each property, one
/// token a line.
///
/// Every error of a file is a warning, and the search continues without it: the corpus only saves time.
package struct CorpusStore: Sendable, Hashable {
  package static let defaultFolder = ".assay/corpus"

  private static let version = 1
  fileprivate static let (maxCases, maxBytes, maxCampaigns) = (10_000, 1 << 26, 1_000_000_000)

  package let folder: String

  package init(folder: String = Self.defaultFolder) { self.folder = folder }

  package struct Contents: Sendable, Hashable {
    package fileprivate(set) var sequences: [ChoiceSequence] = []
    /// The number of campaigns that have searched for cases; each uses another seed.
    package fileprivate(set) var campaigns = 0
    package fileprivate(set) var warnings: [String] = []
    /// True if the file may be written; false if it is anything but a corpus of this version.
    package fileprivate(set) var isWritable = true
  }

  fileprivate struct Unusable: Error { let problem: String }

  private func path(of property: String) -> String { "\(folder)/\(ReadableText.word(property)).txt" }

  package func contents(of property: String) -> Contents {
    var contents = Contents()
    let path = path(of: property)
    do throws(Unusable) {
      let folder = self.folder.count > 1 && self.folder.hasSuffix("/") ? String(self.folder.dropLast()) : self.folder
      guard try Self.exists(folder, S_IFDIR, "a folder"), try Self.exists(path, S_IFREG, "a file") else {
        return contents
      }
      let text: String
      do throws(DamagedExample) { text = try ExampleStore.text(of: path) } catch {
        throw Unusable(problem: "\(path): \(error.problem)")
      }
      try contents.read(text, path, property)
    } catch {
      contents.warnings.append("warning: corpus: \(error.problem) The search goes on without it, and stores none.")
      contents.isWritable = false
    }
    return contents
  }

  /// Returns true if a file or folder of the expected kind exists; throws an error for another kind or a link.
  private static func exists(_ path: String, _ kind: mode_t, _ expected: String) throws(Unusable) -> Bool {
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else { return false }
    let found = status.st_mode & S_IFMT
    if found == S_IFLNK { throw Unusable(problem: "\(path): found a link, expected \(expected); name where it leads.") }
    guard found == kind else { throw Unusable(problem: "\(path): expected \(expected); move what is there.") }
    if kind == S_IFREG, status.st_size > maxBytes {
      throw Unusable(problem: "\(path): found \(status.st_size) bytes, expected \(maxBytes) at most; delete it.")
    }
    return true
  }

  /// Writes a property's cases atomically. Returns a warning on failure.
  package func save(_ sequences: [ChoiceSequence], campaigns: Int, of property: Property) -> [String] {
    let path = path(of: property.id)
    let lines =
      [
        "# " + ReadableText.escaped("\(property.id): \(property.sentence)"),
        "# Cases that together take every edge that was reached. A guided search tries them first, and writes them.",
        Self.heading(campaigns),
      ] + sequences.prefix(Self.maxCases).map { "\(ReplayToken(property: property.id, choices: $0))" } + [""]
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try Data(lines.joined(separator: "\n").utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
      return []
    } catch {
      return ["warning: corpus: cannot write '\(path)': \(ExampleStoreError.cause(of: error)); what was found is lost."]
    }
  }

  private static func heading(_ campaigns: Int) -> String { "corpus version \(version), \(campaigns) campaigns" }
}

extension CorpusStore.Contents {
  /// Adopts the content of a file; damaged lines are left out.
  fileprivate mutating func read(_ text: String, _ path: String, _ property: String) throws(CorpusStore.Unusable) {
    var hasHeading = false
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (index, line) in lines.enumerated() where !line.isEmpty && !line.hasPrefix("#") {
      guard hasHeading else {
        campaigns = try CorpusStore.campaigns(in: line, "\(path):\(index + 1)")
        hasHeading = true
        continue
      }
      guard sequences.count < CorpusStore.maxCases else {
        warnings.append(
          "warning: corpus: \(path):\(index + 1): only the first \(CorpusStore.maxCases) cases are used.")
        return
      }
      do throws(ReplayError) {
        sequences.append(try ReplayToken(parsing: String(line), of: property).choices)
      } catch {
        warnings.append("warning: corpus: \(path):\(index + 1): \(error) The search goes on without this case.")
      }
    }
    guard hasHeading else { throw CorpusStore.Unusable(problem: "\(path): no heading in the file; delete it.") }
  }
}

extension CorpusStore {
  /// The number of campaigns, from a heading.
  fileprivate static func campaigns(in line: Substring, _ position: String) throws(Unusable) -> Int {
    func unusable(_ found: Substring, _ expected: String) -> Unusable {
      let shown = ReadableText.escaped(String(found.prefix(60)))
      return Unusable(problem: "\(position): found '\(shown)', expected \(expected); fix or delete the file.")
    }
    let words = line.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 5, words[0] == "corpus", words[1] == "version", words[4] == "campaigns" else {
      throw unusable(line, "'\(heading(0))'")
    }
    guard words[2] == "\(version)," else { throw unusable(words[2].dropLast(), "version \(version)") }
    guard let campaigns = Int(words[3]), (0...maxCampaigns).contains(campaigns) else {
      throw unusable(words[3], "0 to \(maxCampaigns) campaigns")
    }
    return campaigns
  }
}
