// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
internal import Reporting
internal import Scenarios
internal import Synchronization

/// The files that the command of this process writes, each with the option that names it.
///
/// Options of files to write are noted when they are parsed. Before the command runs, each such file is compared with
/// all others, with the standard output and with every word of the command line and every value of a scenario: of two
/// results one would be lost, and so would what the command reads.
package enum WrittenFiles {
  struct Entry: Hashable {
    /// The option, or the scenario and its key.
    let option: String
    let path: String
    /// The word of the command line that gives the path, if it is not the path itself.
    var word: String?
  }

  /// The files of this process; `nil` if it runs no command line, as tests do.
  private static let noted = Mutex<[Entry]?>(nil)

  /// Begins to note files.
  static func begin() { noted.withLock { $0 = [] } }

  /// Notes files that an option asks to write.
  package static func note(_ paths: [String], of option: String) {
    noted.withLock { $0?.append(contentsOf: paths.map { Entry(option: option, path: $0) }) }
  }

  /// Refuses a file that the command would write and use otherwise.
  ///
  /// - Parameter scenarios: the scenarios that the command plays, whose files count as well.
  /// - Throws: `CommandError.badValue` naming the file and both uses.
  static func check(_ scenarios: [Scenario] = []) throws(CommandError) {
    guard let noted = noted.withLock(\.self) else { return }
    let files = scenarios.map { ($0.file, $0.plan.files) }
    try check(
      noted
        + files.flatMap { file, named in
          named.written.map { Entry(option: "\(file): \($0.key)", path: $0.path, word: "\($0.key)=\($0.path)") }
        },
      words: Array(CommandLine.arguments.dropFirst()), reading: files.flatMap(\.1.read))
  }

  /// Refuses a file to write that is another one, or that is named for something else.
  ///
  /// - Parameters:
  ///   - entries: the files to write.
  ///   - words: the words of the command line.
  ///   - read: values that are no files to write, and may be files to read.
  /// - Throws: `CommandError.badValue` naming the file and both uses.
  static func check(_ entries: [Entry], words: [String], reading read: [String]) throws(CommandError) {
    var known: [String: Entry] = [:]
    let output = OutputFile.target(of: "-")
    for entry in entries where entry.path != "-" {
      guard let target = OutputFile.target(of: entry.path), let path = target.path else { continue }
      if path == output?.path, !target.isStandardOutput {
        throw refusal(of: entry, "the standard output goes to it")
      }
      if let other = known[path], other.option != entry.option {
        throw refusal(of: entry, "\(other.option) writes it")
      }
      known[path] = entry
      // A folder of the history is refused where it is opened.
      if entry.option != "--history", FileKind(behind: entry.path) == .folder {
        try checkInside(entry, words.flatMap(paths) + read)
      }
    }
    let options = Set(entries.map(\.option)).union(["-o"])
    for (index, word) in words.enumerated() {
      let before = index > 0 ? words[index - 1] : ""
      let isValue =
        options.contains(before) || before.hasPrefix("-") && !before.hasPrefix("--") && before.hasSuffix("o")
      let isOwn =
        word.hasPrefix("-") && options.contains { word.hasPrefix($0 == "-o" ? $0 : $0 + "=") }
        || entries.contains { $0.word == word }
      guard !isValue, !isOwn, let entry = paths(in: word).lazy.compactMap(target).compactMap({ known[$0] }).first else {
        continue
      }
      throw refusal(of: entry, "the command line names it for something else as well")
    }
    for path in read {
      guard let entry = target(of: path).flatMap({ known[$0] }) else { continue }
      throw refusal(of: entry, "the scenario names it for something else as well")
    }
  }

  /// Refuses a folder to write to in which a file that is read would be replaced by one of its name.
  private static func checkInside(_ folder: Entry, _ read: [String]) throws(CommandError) {
    for path in read where FileKind(behind: path) == .file {
      let inside = folder.path + "/" + URL(fileURLWithPath: path).lastPathComponent
      if target(of: path) == target(of: inside) {
        throw refusal(of: folder, "the command reads '\(path)', which it would replace")
      }
    }
  }

  private static func refusal(of entry: Entry, _ reason: String) -> CommandError {
    .badValue(option: entry.option, found: entry.path, expected: "another file: \(reason)")
  }

  private static func target(of path: String) -> String? {
    OutputFile.target(of: path == "-" ? "/dev/stdin" : path)?.path
  }

  /// The paths that a word of a command line may name: itself, what follows an equals sign, and the value of an option
  /// of one letter.
  private static func paths(in word: String) -> [String] {
    let value = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).dropFirst().map(String.init)
    let joined = word.hasPrefix("-") && !word.hasPrefix("--") ? [String(word.dropFirst(2))] : []
    return ([word] + value + joined).filter { !$0.isEmpty }
  }
}

extension Experiment {
  /// The files that the parameters name to write, with their keys, and all other texts, which may name files to read.
  fileprivate var files: (written: [(key: String, path: String)], read: [String]) {
    var (written, read) = ([(key: String, path: String)](), [String]())
    for parameter in Self.parameters {
      let texts = parameter.write(self)?.texts ?? []
      if parameter.isWritten { written += texts.map { (parameter.key, $0) } } else { read += texts }
    }
    return (written, read)
  }
}

extension JSONValue {
  fileprivate var texts: [String] {
    switch self {
    case .string(let text): [text]
    case .array(let values): values.flatMap(\.texts)
    default: []
    }
  }
}
