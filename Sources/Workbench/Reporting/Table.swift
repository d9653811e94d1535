// SPDX-License-Identifier: GPL-3.0-or-later

/// A table of texts that prints as aligned text, Markdown or CSV.
public struct Table: Hashable, Sendable {
  /// A column: its heading and the alignment of its values.
  public struct Column: Hashable, Sendable {
    /// The alignment of values.
    public enum Alignment: Hashable, Sendable {
      case left, right, centre
    }

    /// The heading.
    package let title: String
    /// The alignment of values.
    package let alignment: Alignment

    /// A column by its heading.
    public init(_ title: String, _ alignment: Alignment = .left) {
      self.title = title
      self.alignment = alignment
    }
  }

  /// The columns, from left to right.
  package let columns: [Column]
  /// The rows, each as wide as the columns.
  public private(set) var rows: [[String]] = []

  /// A table of columns; rows are cut or filled to their number.
  public init(_ columns: [Column], rows: [[String]] = []) {
    self.columns = columns
    for row in rows { add(row) }
  }

  /// A table of columns of text, then of numbers, aligned to the right, then of text again.
  public init(_ texts: [String], numbers: [String] = [], _ more: [String] = [], rows: [[String]] = []) {
    self.init(texts.map { Column($0) } + numbers.map { Column($0, .right) } + more.map { Column($0) }, rows: rows)
  }

  /// A table whose columns are aligned to the left, those of numbers to the right.
  public init(columns titles: [String], numbers: Set<String> = [], rows: [[String]] = []) {
    self.init(titles.map { Column($0, numbers.contains($0) ? .right : .left) }, rows: rows)
  }

  /// Adds a row; missing values are empty, surplus values are dropped.
  public mutating func add(_ values: [String]) {
    rows.append(columns.indices.map { values.indices.contains($0) ? values[$0] : "" })
  }

  /// The table with other texts in its rows.
  package func mapped(_ text: (String) -> String) -> Table {
    var table = self
    table.rows = rows.map { $0.map(text) }
    return table
  }

  /// The table as aligned text without trailing spaces: headings, a rule, and a line for each row. If it is too wide,
  /// headings and texts are wrapped; if still, empty columns are left out, and values that are the same in every row
  /// are listed below; if still, each row is a record with a line for each cell.
  package func text(width: Int = .max) -> String {
    mapped { TerminalText.harmless($0, keepingLineEnds: true) }.harmlessText(width: width)
  }

  private func harmlessText(width: Int) -> String {
    if let widths = widths(within: width) { return text(widths: widths) }
    let (narrower, repeated) = withoutRepetition
    guard let widths = narrower.widths(within: width) ?? narrower.widths(within: width, sentence: 4) else {
      return records(width: width)
    }
    let below = TerminalText.lines(of: "In every row: \(repeated.joined(separator: ", ")).", width: width)
    return narrower.text(widths: widths) + (repeated.isEmpty ? "" : "\n" + below.map { $0 + "\n" }.joined())
  }

  /// The table without the columns, except the first, that are empty or have the same text in each of several rows; and
  /// these texts, each with its heading.
  private var withoutRepetition: (table: Table, repeated: [String]) {
    let texts = columns.indices.map { index in Set(rows.map { $0[index] }) }
    let kept = columns.indices.filter { index in
      index == 0 || !(texts[index] == [""] || texts[index].count == 1 && rows.count > 1)
    }
    let repeated = columns.indices.filter { !kept.contains($0) }.compactMap { index in
      texts[index].first.flatMap { $0.isEmpty ? nil : "\(columns[index].title) \($0)" }
    }
    return (Table(kept.map { columns[$0] }, rows: rows.map { row in kept.map { row[$0] } }), repeated)
  }

  private func text(widths: [Int]) -> String {
    let rule = widths.map { String(repeating: "-", count: $0) }
    return ([columns.map(\.title), rule] + rows).flatMap { row in
      let cells = zip(row, widths).map { TerminalText.lines(of: $0, width: $1) }
      return (0..<(cells.map(\.count).max() ?? 0)).map { line in
        aligned(cells.map { $0.indices.contains(line) ? $0[line] : "" }, widths) + "\n"
      }
    }.joined()
  }

  /// The least width of a column of sentences, which could not be read comfortably in fewer characters.
  private static let minTextWidth = 16

  /// The widths of columns with which the table fits: those of the cells, the widest reduced as far as needed; `nil`
  /// where a word or number would be broken. A text of at least `sentence` words is a sentence.
  private func widths(within width: Int, sentence: Int = 1) -> [Int]? {
    func widest(_ texts: [String]) -> Int { texts.map(TerminalText.columns).max() ?? 0 }
    func words(_ text: String) -> [String] {
      text.split(separator: " ").flatMap { TerminalText.parts(of: $0).map(String.init) }
    }
    let wanted = columns.indices.map { index in widest([columns[index].title] + rows.map { $0[index] }) }
    let available = width == .max ? width : width - 2 * (columns.count - 1)
    if wanted.reduce(0, +) <= available { return wanted }
    let minimum = columns.indices.map { index in
      let (cells, title) = (rows.map { $0[index] }, widest(words(columns[index].title)))
      guard columns[index].alignment == .left else { return max(title, widest(cells)) }
      let words = cells.map(words)
      let isOfSentences = words.contains { $0.count >= sentence }
      return max(title, widest(words.flatMap(\.self)), isOfSentences ? min(Self.minTextWidth, wanted[index]) : 0)
    }
    func widths(cappedAt cap: Int) -> [Int] { zip(minimum, wanted).map { max($0, min($1, cap)) } }
    guard minimum.reduce(0, +) <= available else { return nil }
    var (fits, breaks) = (0, available + 1)
    while breaks - fits > 1 {
      let middle = (fits + breaks) / 2
      if widths(cappedAt: middle).reduce(0, +) <= available { fits = middle } else { breaks = middle }
    }
    return widths(cappedAt: fits)
  }

  /// A block of lines for each row, `heading: cell`, without the cells that are empty.
  private func records(width: Int) -> String {
    rows.map { row in
      zip(columns, row).filter { !$1.isEmpty }.flatMap { column, cell in
        let line = column.title.isEmpty ? cell : "\(column.title): \(cell)"
        let lines = TerminalText.lines(of: line, width: max(1, width - 2))
        return [lines[0]] + lines.dropFirst().map { "  " + $0 }
      }.map { $0 + "\n" }.joined()
    }.joined(separator: "\n")
  }

  /// The table as Markdown, which shows the texts unchanged: what has a meaning in Markdown or HTML is escaped.
  public var markdown: String { markdown(boldTitles: false) }

  /// The table as Markdown; with bold titles the first cell of each row is bold.
  package func markdown(boldTitles: Bool) -> String {
    let rule = columns.map { column in
      switch column.alignment {
      case .left: ":--"
      case .right: "--:"
      case .centre: ":-:"
      }
    }
    let lines =
      [columns.map { Self.escaped($0.title) }, rule]
      + rows.map { row in
        row.enumerated().map { boldTitles && $0 == 0 ? "**\(Self.escaped($1))**" : Self.escaped($1) }
      }
    return lines.map { "| " + $0.joined(separator: " | ") + " |\n" }.joined()
  }

  /// A row for each object of some JSON, so that CSV and JSON use the same names. Members of an inner object become
  /// columns with both names, `success` and `low` giving `successLow`; plain values in a list share a cell; other
  /// lists, and the members named by `left`, have no column.
  public init(records: [JSONValue], without left: Set<String> = []) {
    var (names, positions, objects) = ([String](), [String: Int](), Set<String>())
    let cells = records.map { record in
      var cells: [Int: String] = [:]
      objects.formUnion(record.objects)
      for (name, cell) in record.cells(without: left) {
        let position = positions[name] ?? names.count
        if position == names.count {
          positions[name] = position
          names.append(name)
        }
        cells[position] = cell
      }
      return cells
    }
    // Where some records have an object and others `null`, the `null` has no column.
    let kept = names.indices.filter { position in
      cells.contains { $0[position]?.isEmpty == false } || !objects.contains(names[position])
    }
    self.init(kept.map { Column(names[$0]) }, rows: cells.map { row in kept.map { row[$0] ?? "" } })
  }

  /// The table as CSV, headings first. A text that looks like a formula stays a text in a spreadsheet: see `CSV.inert`.
  public var csv: String {
    guard !columns.isEmpty else { return "" }
    return rows.reduce(into: CSV.line(columns.map { CSV.inert($0.title) })) { $0 += CSV.line($1.map(CSV.inert)) }
  }

  private func aligned(_ values: [String], _ widths: [Int]) -> String {
    columns.indices.map { index in
      Self.padded(values[index], to: widths[index], columns[index].alignment)
    }.joined(separator: "  ").withoutTrailingSpaces
  }

  private static func padded(_ text: String, to width: Int, _ alignment: Column.Alignment) -> String {
    let gap = max(0, width - TerminalText.columns(of: text))
    let before =
      switch alignment {
      case .left: 0
      case .right: gap
      case .centre: gap / 2
      }
    return String(repeating: " ", count: before) + text + String(repeating: " ", count: gap - before)
  }

  private static func escaped(_ text: String) -> String {
    MarkdownText.plain(text).replacing("|", with: "\\|")
  }
}

extension JSONValue {
  /// The members of an object as cells of a row.
  fileprivate func cells(without left: Set<String>) -> [(name: String, cell: String)] {
    guard case .object(let members) = self else { return [] }
    return members.filter { !left.contains($0.key) }.flatMap { member -> [(String, String)] in
      if case .object = member.value {
        return member.value.cells(without: left).map { (member.key + $0.prefix(1).uppercased() + $0.dropFirst(), $1) }
      }
      return member.value.cell.map { [(member.key, $0)] } ?? []
    }
  }

  /// The names of the members that are objects.
  fileprivate var objects: [String] {
    guard case .object(let members) = self else { return [] }
    return members.compactMap { if case .object = $0.value { $0.key } else { nil } }
  }

  /// The value as a cell: a text unchanged, a number as JSON writes it; `nil` unless it is a plain value or a list of
  /// them.
  private var cell: String? {
    switch self {
    case .string(let text): text
    case .null: ""
    case .object: nil
    case .array(let values):
      values.allSatisfy { if case .array = $0 { false } else { $0.cell != nil } }
        ? values.compactMap(\.cell).joined(separator: "; ") : nil
    case .number(let number) where !number.isFinite, .fixed(let number, _) where !number.isFinite: ""
    default: String(text.dropLast())
    }
  }
}

/// Comma-separated values by RFC 4180, with plain line feeds.
public enum CSV {
  /// One line of fields, quoted where they must be, with its line end.
  public static func line(_ fields: [String]) -> String {
    var line = ""
    for (position, text) in fields.enumerated() {
      if position > 0 { line += "," }
      line += field(text)
    }
    return line + "\n"
  }

  /// The text in a form that no spreadsheet takes for a formula: with an apostrophe if it begins like one and is no
  /// number, no list of numbers and no single sign.
  ///
  /// Source: OWASP, "CSV Injection".
  static func inert(_ text: String) -> String {
    switch text.unicodeScalars.first {
    case "=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠":
      let isNumeric =
        ["-", "+"].contains(text) || text.split(separator: "; ").allSatisfy { Double($0)?.isFinite == true }
      return isNumeric ? text : "'" + text
    default: return text
    }
  }

  private static func field(_ text: String) -> String {
    // Nearly every field is plain, which a look at its bytes shows fast.
    let isPlain = text.utf8.allSatisfy { byte in
      (0x20...0x7E).contains(byte) && byte != UInt8(ascii: ",") && byte != UInt8(ascii: "\"")
    }
    guard !isPlain, text.contains(where: { $0 == "," || $0 == "\"" || $0.isNewline }) else { return text }
    return "\"" + text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
  }
}

/// Texts for Markdown as GitHub renders it, escaped so that they show unchanged.
package enum MarkdownText {
  /// The document without control characters and commands for a build server, for showing its source.
  package static func shown(_ markdown: String) -> String {
    TerminalText.withoutCommands(TerminalText.harmless(markdown, keepingLineEnds: true))
  }

  /// Words of a line: characters with a meaning in Markdown or HTML are escaped, a line end becomes a space.
  package static func plain(_ text: String) -> String {
    text.map { mark in
      switch mark {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      case "\\", "`", "*", "_", "[", "]", "#", "~", "$", "@": "\\\(mark)"
      case _ where mark.isNewline: " "
      default: String(mark)
      }
    }.joined()
  }

  /// A text as code within a line, between more backticks than any run in it.
  package static func code(_ text: String) -> String {
    let line = String(text.map { $0.isNewline ? " " : $0 })
    guard !line.isEmpty else { return "" }
    let fence = String(repeating: "`", count: longestRun(of: "`", in: line) + 1)
    let gap = line.hasPrefix("`") || line.hasSuffix("`") ? " " : ""
    return fence + gap + line + gap + fence
  }

  /// A text as a block of code, within a fence longer than any in it.
  package static func block(_ text: String) -> String {
    let fence = String(repeating: "`", count: max(3, longestRun(of: "`", in: text) + 1))
    return "\(fence)text\n\(text)\(text.hasSuffix("\n") || text.isEmpty ? "" : "\n")\(fence)\n"
  }

  private static func longestRun(of mark: Character, in text: String) -> Int {
    var (longest, current) = (0, 0)
    for one in text {
      current = one == mark ? current + 1 : 0
      longest = max(longest, current)
    }
    return longest
  }
}
