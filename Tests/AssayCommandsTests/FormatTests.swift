// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Reporting
import TestSupport
import Testing

@Suite("Output suits its readers: tidy tables for programs, lines that fit the terminal for people")
struct FormatTests {
  private static let commands =
    ExperimentCommandTests.small + [
      "properties list live", "scenario kinds", "scenario keys live.simulate", "doctor",
    ]

  /// The first words, which name the command.
  private static func name(of typed: String) -> String {
    typed.split(separator: " ").prefix(2).prefix { !$0.hasPrefix("-") }.joined(separator: " ")
  }

  /// The formats that the help lists.
  private static func formats(of command: String) throws -> [String] {
    let words = try AssayProcess("help \(command)").output.split(whereSeparator: \.isWhitespace).map(String.init)
    let first = try #require(words.lastIndex(of: "<format>"))
    return words[(first + 1)...].prefix { !$0.hasPrefix("(") }.filter { $0 != "or" }.map { $0.filter(\.isLetter) }
  }

  private static let endings = ["text": "txt", "markdown": "md", "junit": "xml"]

  @Test("every listed format works, CSV is tidy, JSON has a schema", arguments: commands)
  func formats(typed: String) throws {
    let folder = try TemporaryFolder()
    // What makes PNG pictures of drawings is not on every machine.
    let formats = try Self.formats(of: Self.name(of: typed)).filter { $0 != "png" }
    #expect(Set(["text", "markdown", "csv", "json"]).isSubset(of: formats), "\(formats)")
    let files = formats.map { "out." + (Self.endings[$0] ?? $0) }
    let outputs = files.map { " -o \($0)" }.joined()
    let process = try AssayProcess(typed + outputs + " -q", in: folder.url)
    #expect([0, 1, 3].contains(process.status) && process.output.isEmpty, "\(process.remarks)")
    #expect(try folder.names() == files.sorted())
    func text(_ file: String) throws -> String {
      try String(contentsOf: folder.url.appendingPathComponent(file), encoding: .utf8)
    }
    for file in files { #expect(try !text(file).isEmpty, "\(file)") }
    Tidy.check(try text("out.csv"), isStrategyChart: typed.hasPrefix("blackjack chart"))
    let json = try JSONSerialization.jsonObject(with: Data(try text("out.json").utf8)) as? [String: Any]
    #expect(
      (json?["schema"] as? String)?.wholeMatch(of: /assay(\.[a-z]+)+\/\d+/) != nil, "\(json?.keys.sorted() ?? [])")
    for format in ["svg", "junit"] where !formats.contains(format) {
      let refused = try AssayProcess("\(typed) -f \(format)", in: folder.url)
      #expect(refused.status == 2 && refused.remarks.contains("has no \(format), expected one of"))
    }
  }

  @Test("no line of text is wider than the terminal, including details and evidence", arguments: commands)
  func width(typed: String) throws {
    for width in [60, 80, 100] {
      let process = try AssayProcess(typed + " --verbose", environment: ["COLUMNS": "\(width)"])
      let wide = process.output.split(separator: "\n").filter { TerminalText.columns(of: String($0)) > width }
      #expect(!process.output.isEmpty && wide.isEmpty, "\(width): \(wide.joined(separator: "\n"))")
    }
  }

  @Test(
    "a folder's CSV files are tidy, too",
    arguments: ["live storm --clients 100", "live simulate lift --sessions 100", "blackjack chart --method exact"])
  func files(typed: String) throws {
    let folder = try TemporaryFolder()
    _ = try AssayProcess(typed + " --report --no-history -q", in: folder.url)
    let all =
      FileManager.default.enumerator(at: folder.url, includingPropertiesForKeys: nil)?.allObjects as? [URL] ?? []
    let tables = all.filter { $0.pathExtension == "csv" }
    #expect(!tables.isEmpty)
    for table in tables {
      Tidy.check(
        try String(contentsOf: table, encoding: .utf8), isStrategyChart: typed.hasPrefix("blackjack chart"))
    }
  }

  @Test("- is the standard output, also next to files; a name without an ending needs --format")
  func standardOutput() throws {
    let folder = try TemporaryFolder()
    let plain = try AssayProcess("scenario kinds", in: folder.url)
    let csv = try AssayProcess("scenario kinds -f csv", in: folder.url)
    #expect(try AssayProcess("scenario kinds -fcsv", in: folder.url).output == csv.output)
    for name in ["-", "/dev/stdout", "/dev/fd/1"] {
      #expect(try AssayProcess("scenario kinds -o \(name)", in: folder.url).output == plain.output, "\(name)")
      let both = try AssayProcess("scenario kinds -f csv -o \(name) -o out.csv", in: folder.url)
      #expect(both.output == csv.output && both.remarks == "wrote out.csv\n", "\(name): \(both.remarks)")
    }
    #expect(try String(contentsOf: folder.url.appendingPathComponent("out.csv"), encoding: .utf8) == csv.output)
    #expect(try folder.names() == ["out.csv"])
    let saved = try AssayProcess("live storm --clients 100 --save - -o storm.json -q", in: folder.url)
    #expect(saved.output.contains("\nkind: live.storm\n") && saved.remarks.isEmpty, "\(saved.remarks)")
    #expect(try folder.names() == ["out.csv", "storm.json"])
  }

  @Test("every command writes through links and pipes")
  func through() throws {
    let folder = try TemporaryFolder()
    let (pipe, link) = (folder.url.appendingPathComponent("pipe"), folder.url.appendingPathComponent("link.csv"))
    #expect(unsafe mkfifo(pipe.path, 0o600) == 0)
    let end = unsafe open(pipe.path, O_RDONLY | O_NONBLOCK)
    defer { close(end) }
    let target = try folder.write("old", as: "target")
    try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: "target")
    let process = try AssayProcess("scenario kinds -o pipe -o link.csv", in: folder.url)
    #expect(process.status == 0 && process.remarks == "wrote link.csv\n", "\(process.remarks)")
    let bytes = try FileHandle(fileDescriptor: end).readToEnd() ?? Data()
    #expect(try String(decoding: bytes, as: UTF8.self) == AssayProcess("scenario kinds").output)
    #expect(try String(contentsOfFile: target, encoding: .utf8) == AssayProcess("scenario kinds -f csv").output)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path) == "target")
    #expect(try folder.names() == ["link.csv", "pipe", "target"])
  }

  @Test(
    "the same output twice is refused before any work, however it is spelt",
    arguments: [("out.csv", "out.csv"), ("out.csv", "./out.csv"), ("out.csv", "link.csv"), ("-", "/dev/stdout")])
  func twice(first: String, second: String) throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createSymbolicLink(
      atPath: folder.url.appendingPathComponent("link.csv").path, withDestinationPath: "out.csv")
    let process = try AssayProcess("scenario kinds -o \(first) -o \(second)", in: folder.url)
    #expect(process.status == 2 && process.output.isEmpty)
    #expect(
      process.remarks
        == "error: --output: found '\(second)', expected another file than '\(first)', which is the same.\n")
    #expect(try folder.names() == ["link.csv"])
  }

  @Test("each option has the same single letter in every command")
  func letters() throws {
    for command in ["blackjack chart", "live storm", "run", "club stress", "properties check"] {
      let help = try AssayProcess("help \(command)").output
      for option in ["-f, --format <", "-o, --output <", "-q, --quiet ", "-j, --jobs <"] {
        #expect(help.contains(option), "\(command): \(option)")
      }
    }
  }
}

/// What makes a CSV one table of data: each row as long as the headings, headings of one style, plain numbers.
private enum Tidy {
  static func check(_ csv: String, isStrategyChart: Bool = false) {
    let rows = rows(of: csv)
    guard let names = rows.first, rows.count > 1 else { return #expect(Bool(false), "no rows: \(csv.prefix(200))") }
    // The strategy chart's format is older, and other programs read it.
    let style = isStrategyChart ? /[a-z]+(_low|_high)?/ : /[a-z][A-Za-z0-9]*()?/
    for name in names { #expect((try? style.wholeMatch(in: name)) != nil, "heading '\(name)'") }
    #expect(Set(names).count == names.count)
    for row in rows.dropFirst() { #expect(row.count == names.count, "\(row)") }
    // Hands are not numbers, and neither is what a machine or a person wrote.
    let texts: Set = ["player", "dealer", "found", "default", "example", "label"]
    for (index, name) in names.enumerated() where !texts.contains(name) {
      let cells = rows.dropFirst().compactMap { $0.indices.contains(index) && !$0[index].isEmpty ? $0[index] : nil }
      for cell in cells {
        #expect(
          cell.wholeMatch(of: /[-+]?\d{1,3}(,\d{3})+(\.\d+)?|\d+:\d\d.*|[-+]?[\d.,]+ ?[%a-zA-Z\/]{1,4}/) == nil,
          "\(name): '\(cell)'")
      }
      // A column of numbers has nothing but numbers.
      if 2 * cells.count(where: { Double($0) != nil }) > cells.count {
        #expect(cells.allSatisfy { Double($0) != nil }, "\(name): \(cells.filter { Double($0) == nil })")
      }
    }
  }

  /// The fields of each line as RFC 4180 has them.
  private static func rows(of csv: String) -> [[String]] {
    var (rows, row, field, isQuoted) = ([[String]](), [String](), "", false)
    for character in csv {
      switch character {
      case "\"": isQuoted.toggle()
      case "," where !isQuoted:
        row.append(field)
        field = ""
      case "\n" where !isQuoted:
        rows.append(row + [field])
        (row, field) = ([], "")
      default: field.append(character)
      }
    }
    return rows
  }
}
