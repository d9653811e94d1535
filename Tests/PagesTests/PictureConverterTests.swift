// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Reporting
import Scenarios
import TestSupport
import Testing

import Pages

@Suite("The PNG converter")
struct PictureConverterTests {
  @Test("a PNG of a figure has two pixels for a unit, and equal figures are equal bytes", arguments: Gallery.all)
  func pixels(figure: Figure) throws {
    let converter = try #require(PictureConverter.find(environment: ProcessInfo.processInfo.environment))
    #expect(converter.version.contains(/^rsvg-convert version \d+\.\d+/))
    let svg = try FigurePicture(figure).file
    let bytes = try Array(converter.png(of: svg, name: figure.id))
    #expect(bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]))
    let width = try #require(svg.firstMatch(of: #/viewBox="0 0 (\d+) /#).flatMap { Int($0.1) })
    // The width stands in the first chunk (PNG specification, section 11.2.2).
    #expect(bytes[16..<20].reduce(0) { $0 * 256 + Int($1) } == 2 * width)
    #expect(try Array(converter.png(of: svg, name: figure.id)) == bytes)
  }

  @Test("is not found if it is not installed", arguments: [[:], ["PATH": "/nowhere:/etc"]])
  func missing(environment: [String: String]) {
    #expect(PictureConverter.find(environment: environment) == nil)
  }

  @Test(
    "what it complains of stands in the error, and an output counts only when it is a PNG",
    arguments: [("echo 'no memory' >&2; exit 1", "no memory"), ("echo 'no picture'", "it ended with status 0")])
  func complaint(script: String, problem: String) throws {
    let folder = try TemporaryFolder()
    let text = "#!/bin/sh\ncase $1 in --version) echo 'rsvg-convert version 1';; *) \(script);; esac\n"
    let file = try folder.write(text, as: PictureConverter.name)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file)
    let converter = try #require(PictureConverter.find(environment: ["PATH": folder.path]))
    #expect(converter.version == "rsvg-convert version 1")
    #expect(throws: FigureError.failed(figure: "card", problem: problem)) {
      try converter.png(of: "<svg/>", name: "card")
    }
  }
}
