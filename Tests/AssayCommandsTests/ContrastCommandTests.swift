// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import TestSupport
import Testing

@Suite("Commands of contrast")
struct ContrastCommandTests {
  @Test("a ratio is printed with the levels that it passes, and is never rounded up")
  func ratio() throws {
    let run = try AssayProcess("contrast ratio #777 #fff")
    #expect(run.status == 0 && run.output.hasPrefix("4.47:1, #777777 on #ffffff\n"))
    #expect(run.output.contains("large-text  passes  fails") && run.output.contains("text        fails   fails"))
    let json = try AssayProcess("contrast ratio white black --format json").output
    #expect(json.contains("\"schema\": \"assay.contrast.ratio/1\"") && json.contains("\"ratio\": 21"))
  }

  @Test("an invalid colour is refused with its option's name")
  func noColour() throws {
    let run = try AssayProcess("contrast ratio #77 #fff")
    #expect(run.status == 2 && run.remarks.contains("<foreground>: found '#77', expected a colour as CSS writes it"))
  }

  @Test("a failed check ends with 1 in every format, and annotates the line of each token on a build server")
  func check() throws {
    let folder = try TemporaryFolder(["p": "on-a on a"])
    try folder.write(
      "{\"$type\": \"color\",\n\"a\": {\"$value\": \"#fff\"},\n\"on-a\": {\"$value\": \"#777\"}}", as: "t.tokens.json")
    let words = "contrast check t.tokens.json --pairs p"
    let run = try AssayProcess(words + " --fix m.json", in: folder.url, environment: ["CI": "1"])
    #expect(run.status == 1 && run.output.contains("1 of 1 pair below WCAG 2.2 AA"))
    #expect(
      run.remarks.contains("::error file=t.tokens.json,line=3,title=Fails%3A on-a on a::4.47, and text needs 4.5"))
    #expect(try String(contentsOfFile: folder.path("m.json"), encoding: .utf8).contains("\"hex\": \"#767676\"}"))
    #expect(try AssayProcess("contrast check m.json --pairs p", in: folder.url).status == 0)
    #expect(try AssayProcess(words + " --format csv", in: folder.url).output.contains(",on-a,a,text,4.478"))
    #expect(try AssayProcess(words + " --format junit", in: folder.url).output.contains("failures=\"2\""))
  }

  @Test("invalid tokens end with 2, and each of their lines is annotated on a build server")
  func wrong() throws {
    let folder = try TemporaryFolder(["t.json": "{\n\"a\": {\"$value\": \"#fff\"},\n\"b\": {\"$value\": \"#fff\"}}"])
    let run = try AssayProcess("contrast check t.json", in: folder.url, environment: ["CI": "1"])
    #expect(run.status == 2)
    #expect(
      run.remarks.contains("error: t.json:2: a: found no type") && run.remarks.contains("error: t.json:3: b: found"))
    #expect(run.remarks.contains("::error file=t.json,line=3,title=Bad input::t.json:3: b: found no type"))
  }
}
