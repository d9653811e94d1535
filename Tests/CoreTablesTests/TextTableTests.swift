// SPDX-License-Identifier: GPL-3.0-or-later
import CoreTables
import Testing

@Suite("Tables are read by RFC 4180 and as spreadsheets write them")
struct TextTableTests {
  private static func table(_ text: String, defaultHeading: [String]? = nil) throws -> [[String]] {
    let table = try TextTable(text, file: "t.csv", defaultHeading: defaultHeading)
    return [table.heading] + table.rows.map(\.cells)
  }

  @Test(
    "the same table in every spelling",
    arguments: [
      "name,points\nLynx,1\nFoxes,2\n", "name,points\r\nLynx,1\r\nFoxes,2", "name,points\rLynx,1\rFoxes,2\r",
      "\u{FEFF}name,points\nLynx,1\nFoxes,2", "name;points\nLynx;1\nFoxes;2", "name\tpoints\nLynx\t1\nFoxes\t2",
      "sep=;\nname;points\nLynx;1\nFoxes;2", "\u{FEFF}\"sep=|\"\r\nname|points\r\nLynx|1\r\nFoxes|2",
      "SEP=,\nname,points\nLynx,1\nFoxes,2", "# said, with; commas\n\nname,points\n\nLynx,1\n,\n  \nFoxes,2\n,\n,\n",
      "name,points,,\nLynx,1,,\nFoxes,2,,,,\n,,,\n", ",name,points\n,Lynx,1\n,Foxes,2",
      " \"name\" , points \n\"Lynx\",\"1\"\n\u{A0}Foxes, 2 ", ";;\n;name;points\n;Lynx;1\n;Foxes;2",
      "name,points\n# a note\nLynx,1\n#\n# this, and that\nFoxes,2\n## end",
    ])
  func spellings(text: String) throws {
    #expect(try Self.table(text) == [["name", "points"], ["Lynx", "1"], ["Foxes", "2"]])
  }

  @Test("a quoted value holds separators, line ends, and quotation marks written twice")
  func quotes() throws {
    let rows = try Self.table("a,b\n\"The \"\"A\"\" Team\",\"1;2,3\"\n\"two\r\nlines\",6\" putter\n\"\",\"\"\"\"\n")
    #expect(rows.dropFirst() == [["The \"A\" Team", "1;2,3"], ["two\r\nlines", "6\" putter"], ["", "\""]])
    let table = try TextTable("a,b\r\n\"1\r\n2\r3\n4\",x\r\nlast,y", file: "")
    #expect(table.rows.map(\.line) == [2, 6])
  }

  @Test("below the heading, a line that begins with # and is as wide as the heading is a row")
  func marks() throws {
    let text = "# results, of, a league\nhome,week,points\n#1 Stunners,1,120\n# 2, 1, 90\n# a note\n#3 Lynx,1\n"
    #expect(
      try Self.table(text).dropFirst() == [["#1 Stunners", "1", "120"], ["# 2", "1", "90"], ["#3 Lynx", "1"]])
  }

  @Test("the first column may lack a name, as R and pandas write the numbers of rows; any other may not")
  func unnamed() throws {
    let table = try TextTable(",name,points\n0,Lynx,1\n1,Foxes,2\n", file: "t.csv")
    #expect(try table.columns(["points"]).map { $0[0].text } == ["1", "2"])
    #expect(
      #expect(throws: TableError.self) { try Self.table("name,,points\nLynx,x,1\n") }?.description
        == "t.csv:2: column 2: found 'x', expected no value where the heading has no name; a value that contains the "
        + "separator needs quotation marks.")
  }

  @Test("a table without a heading gets the names that its reader knows, and one with a heading keeps its own")
  func headless() throws {
    let names = ["card", "tag"]
    #expect(try Self.table("A,-1\n2,1", defaultHeading: names) == [names, ["A", "-1"], ["2", "1"]])
    #expect(try Self.table("Card;Tag\nA;-0,5", defaultHeading: names) == [["Card", "Tag"], ["A", "-0,5"]])
    #expect(try Self.table("A;-0,5\n", defaultHeading: names) == [names, ["A", "-0,5"]])
  }

  @Test(
    "whole numbers and decimals in every spelling that has one meaning",
    arguments: [
      (",", "1.0", 1), (",", "+7", 7), (",", "5e+05", 500_000), (",", "101.5", 101.5), (",", "-.5", -0.5),
      (",", "\u{2212}2", -2), (";", "101,5", 101.5), (";", "-0,25", -0.25), ("\t", "1,0", 1), (";", "98.24", 98.24),
    ] as [(String, String, Double)])
  func numbers(separator: String, text: String, value: Double) throws {
    let table = try TextTable("a\(separator)b\nx\(separator)\(text)", file: "")
    let cell = try #require(try table.columns(["b"]).first?.first)
    #expect(cell.number == value && cell.whole == (value == value.rounded() ? Int(value) : nil))
  }

  @Test(
    "texts that are no number, or have two meanings, are refused with what to change",
    arguments: [
      (",", "0x10", "'0x10', expected a number from 0 to 9, in decimal digits and not hexadecimal"),
      (",", "nan", "'nan', expected a number from 0 to 9"), (",", "inf", "'inf', expected a number from 0 to 9"),
      (",", "", "nothing, expected a number from 0 to 9"), (",", "10", "'10', expected a number from 0 to 9"),
      (",", "1e", "'1e', expected a number from 0 to 9"), (",", "1.", "'1.', expected a number from 0 to 9"),
      (",", "\"1,5\"", "'1,5', expected a number from 0 to 9, with a decimal point and without commas"),
      (";", "1.234,5", "'1.234,5', expected a number from 0 to 9, without separators of thousands"),
      (";", "1.5\ny;2,5", "'1.5', expected a number from 0 to 9, with a decimal comma like other numbers of the table"),
    ])
  func noNumbers(separator: String, text: String, message: String) throws {
    let table = try TextTable("a\(separator)b\nx\(separator)\(text)", file: "t.csv")
    let cell = try #require(try table.columns(["b"]).first?.first)
    let error = #expect(throws: TableError.self) { try cell.number(in: 0...9) }
    #expect(error?.description == "t.csv:2: b: found \(message).")
  }

  @Test(
    "what is wrong is named by file, line and column",
    arguments: [
      ("", "t.csv: table: found nothing, expected a line with the names of the columns, and a line for each row."),
      (
        "# nothing\n;;\n",
        "t.csv: table: found nothing, expected a line with the names of the columns, and a line for each row."
      ),
      (
        "name\n",
        "t.csv: table: found a heading without rows, expected a line with the names of the columns, and a line "
          + "for each row."
      ),
      ("sep=--\nname\n", "t.csv:1: sep: found 'sep=--', expected one character behind 'sep=', such as 'sep=;'."),
      ("\n\nteam,points\n", "t.csv:3: heading: found team, points, expected a column 'name'."),
      ("name,Name\nx,y\n", "t.csv:1: heading: found the column 'name' at 1 and 2, expected one column of this name."),
      (
        "points,name\n1\n", "t.csv:2: row: found 1 value, expected 2, one for each column of the heading."
      ),
      (
        "name\nLynx,Wily\n",
        "t.csv:2: column 2: found 'Wily', expected no value where the heading has no name; a value that contains the "
          + "separator needs quotation marks."
      ),
      (
        "name,points\nx,1\n\"Lynx,1\nFoxes,2\n",
        "t.csv:3: name: found a quotation mark that nothing closes, expected quotation marks around a whole value, and "
          + "one within them written twice."
      ),
      (
        "points,name\r\n1,\"Big\" Mike\r\n",
        "t.csv:2: name: found '\"Big\" Mike', expected quotation marks around a whole value, and one within them "
          + "written twice."
      ),
    ])
  func wrong(text: String, message: String) {
    let error = #expect(throws: TableError.self) { try TextTable(text, file: "t.csv").columns(["name"]) }
    #expect(error?.description == message)
  }

  @Test("columns are found in any case and with underscores, and optional ones may be missing")
  func columns() throws {
    let table = try TextTable("Home_Points,WEEK\n5,1\n", file: "")
    let row = try #require(try table.columns(["week", "home points"], optional: ["playoff"]).first)
    #expect(row.map(\.text) == ["1", "5", ""] && row.map(\.column) == ["week", "home points", "playoff"])
  }

  @Test("the heading of a text that begins like a table")
  func heading() {
    #expect(TextTable.heading(of: "\u{FEFF}# mine\n\nweek;home\n1;\"") == ["week", "home"])
    #expect(TextTable.heading(of: " \n") == nil && TextTable.heading(of: "\"a") == nil)
  }
}
