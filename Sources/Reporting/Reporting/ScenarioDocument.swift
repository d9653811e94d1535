// SPDX-License-Identifier: GPL-3.0-or-later
internal import Yams

/// A scenario file, read strictly: every key is known, every value is what its key asks for, or an error says where
/// and why.
package struct ScenarioDocument {
  /// The whole document, as the value of a field without a name.
  package let root: ScenarioField

  /// Reads a file.
  ///
  /// - Throws: `ReportingError.unreadable` or `.notYAML`, or `.repeatedKey`.
  package init(contentsOf path: String) throws(ReportingError) {
    try self.init(yaml: TextFile.read(path), file: path)
  }

  /// Reads a text.
  ///
  /// - Parameters:
  ///   - yaml: one YAML document.
  ///   - file: the name that errors give it.
  /// - Throws: `ReportingError.notYAML` or `.repeatedKey`.
  package init(yaml: String, file: String) throws(ReportingError) {
    let node: Node?
    do {
      node = try compose(yaml: yaml)
    } catch let error as YamlError {
      throw Self.reported(error, yaml: yaml, file: file)
    } catch {
      throw .notYAML(file: file, line: nil, problem: "\(error)")
    }
    guard let node else {
      throw .notYAML(file: file, line: 1, problem: "the file is empty")
    }
    root = ScenarioField(file: file, path: "", node: node)
  }

  private static func reported(_ error: YamlError, yaml: String, file: String) -> ReportingError {
    switch error {
    case .scanner(let context, let problem, let mark, _), .parser(let context, let problem, let mark, _),
      .composer(let context, let problem, let mark, _):
      let why = context.map { " (\($0.text))" } ?? ""
      return .notYAML(file: file, line: mark.line, problem: problem + why)
    case .duplicatedKeysInMapping(let duplicates, let context):
      let key = duplicates.min() ?? ""
      let line = lines(of: key, in: yaml).first { $0.count >= context.mark.line && $0.isRepeat }?.count
      return .repeatedKey(file: file, line: line ?? context.mark.line, field: key)
    default:
      return .notYAML(file: file, line: nil, problem: "\(error)")
    }
  }

  /// The lines that begin with a key, and whether an earlier one did so at the same depth.
  private static func lines(of key: String, in yaml: String) -> [(count: Int, isRepeat: Bool)] {
    var depths: Set<Int> = []
    return yaml.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated()
      .compactMap { offset, line in
        let depth = line.prefix { $0 == " " || $0 == "-" }.count
        guard line.dropFirst(depth).hasPrefix("\(key):") else { return nil }
        return (offset + 1, !depths.insert(depth).inserted)
      }
  }
}
