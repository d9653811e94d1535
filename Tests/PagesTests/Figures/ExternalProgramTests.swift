// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Testing

@testable import Pages

@Suite("Programs on the path")
struct ExternalProgramTests {
  /// Runs a test with a program of that name on a path of its own.
  private func with(_ script: String, named name: String, _ body: (_ environment: [String: String], URL) throws -> Void)
    throws
  {
    let manager = FileManager.default
    let folder = manager.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try manager.createDirectory(at: folder.appendingPathComponent("work"), withIntermediateDirectories: true)
    defer { try? manager.removeItem(at: folder) }
    let file = folder.appendingPathComponent(name)
    try Data("#!/bin/sh\n\(script)\n".utf8).write(to: file)
    try manager.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path)
    try body(["PATH": folder.path], folder.appendingPathComponent("work"))
  }

  @Test("where there is none, nothing is found")
  func missing() {
    #expect(Gnuplot.find(environment: [:]) == nil)
    #expect(Gnuplot.find(environment: ["PATH": "/nowhere:/etc"]) == nil)
    #expect(PictureConverter.find(environment: ["PATH": "/nowhere"]) == nil)
  }

  @Test("one that is not gnuplot is not taken for it")
  func impostor() throws {
    try with("echo 'frobnicate 1.0'", named: "gnuplot") { environment, _ in
      #expect(Gnuplot.find(environment: environment) == nil)
    }
    try with("exit 3", named: "gnuplot") { environment, _ in #expect(Gnuplot.find(environment: environment) == nil) }
  }

  @Test("what it complains of stands in the error")
  func complaint() throws {
    let script = "case $1 in --version) echo 'gnuplot 9.9';; *) echo '  ^\n line 3: no memory' >&2; exit 1;; esac"
    try with(script, named: "gnuplot") { environment, _ in
      let gnuplot = try #require(Gnuplot.find(environment: environment))
      #expect(gnuplot.version == "gnuplot 9.9")
      #expect(throws: FigureError.failed(program: "gnuplot", figure: "single", problem: "line 3: no memory")) {
        try gnuplot.png(Gallery.single)
      }
    }
  }

  @Test("a drawing that is cut off is an error, not half a picture")
  func cutOff() throws {
    let script = "case $1 in --version) echo 'gnuplot 9.9';; *) echo '<svg><g id=\"gnuplot_canvas\">';; esac"
    try with(script, named: "gnuplot") { environment, _ in
      let gnuplot = try #require(Gnuplot.find(environment: environment))
      #expect(throws: FigureError.self) { try gnuplot.svg(Gallery.single) }
    }
  }

  @Test("one that does not end is ended")
  func endless() throws {
    try with("exec tail -f /dev/null", named: "gnuplot") { environment, folder in
      var program = try #require(ExternalProgram.find("gnuplot", environment: environment, patience: 0.2))
      program.workspace = folder
      #expect(throws: FigureError.timedOut(program: "gnuplot", figure: "f", seconds: 0.2)) {
        try program.run([], input: Data(), figure: "f")
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }
  }

  @Test("much passes in and out, and the folder it worked in is gone afterwards")
  func large() throws {
    try with("cat; echo some >&2", named: "copier") { environment, folder in
      var program = try #require(ExternalProgram.find("copier", environment: environment, patience: 60))
      program.workspace = folder
      let input = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0) })
      let outcome = try program.run([], input: input, figure: "f")
      #expect(outcome.status == 0)
      #expect(outcome.output == input)
      #expect(outcome.errors == "some\n")
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }
  }

  @Test("arguments pass as they are, for there is no shell between")
  func arguments() throws {
    try with("printf '%s|' \"$@\"", named: "echoer") { environment, _ in
      let program = try #require(ExternalProgram.find("echoer", environment: environment, patience: 60))
      let outcome = try program.run(["a b", "$HOME", "`id`", ";"], input: Data(), figure: "f")
      #expect(String(decoding: outcome.output, as: UTF8.self) == "a b|$HOME|`id`|;|")
    }
  }

  @Test("a folder that cannot be written to is named")
  func noFolder() throws {
    try with("cat", named: "copier") { environment, folder in
      var program = try #require(ExternalProgram.find("copier", environment: environment, patience: 60))
      program.workspace = folder.appendingPathComponent("missing")
      #expect {
        try program.run([], input: Data(), figure: "f")
      } throws: { error in
        "\(error)".contains("missing' not writable")
      }
    }
  }

  @Test("a converter's output counts as a picture only when it is one")
  func converter() throws {
    let script = "case $1 in --version) echo 'rsvg-convert version 2.54.7';; *) echo 'no picture';; esac"
    try with(script, named: "rsvg-convert") { environment, _ in
      let converter = try #require(PictureConverter.find(environment: environment))
      #expect(converter.version == "rsvg-convert version 2.54.7")
      #expect(throws: FigureError.failed(program: "rsvg-convert", figure: "card", problem: "it ended with status 0")) {
        try converter.png(of: "<svg/>", name: "card")
      }
    }
  }
}
