// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import TestSupport
import Testing

@Suite("assay writes pictures, end to end")
struct PictureCommandTests {
  private static let chart = "blackjack chart --rules 6d-s17-das --method exact"
  private static let play = "blackjack play --rules 6d-s17-das --rounds 1e4 --jobs 1"
  private static let league = "league seasons --weeks 3 --seasons 200 --jobs 1"

  @Test("the ending .png writes a PNG file, .svg an SVG file", arguments: [play, league])
  func files(command: String) throws {
    let folder = try TemporaryFolder()
    let process = try AssayProcess(command + " --output a.png --output a.svg --output a.csv --quiet", in: folder.url)
    #expect(process.status == 0, "\(process.remarks)")
    #expect(try folder.names() == ["a.csv", "a.png", "a.svg"])
    let bytes = try Data(contentsOf: folder.url.appendingPathComponent("a.png"))
    #expect(bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]))
    let svg = try String(contentsOf: folder.url.appendingPathComponent("a.svg"), encoding: .utf8)
    #expect(svg.hasPrefix("<svg ") && svg.hasSuffix("</svg>\n") && svg.contains("role=\"img\""))
  }

  @Test("without the PNG converter, PNG is refused with the package's name, and everything else is written")
  func missing() throws {
    let path = ["PATH": "/nowhere"]
    for command in [Self.play, Self.chart] {
      let picture = try AssayProcess(command + " --format png", environment: path)
      #expect(picture.status == 2 && picture.output.isEmpty)
      let error = "error: cannot make a PNG: found no rsvg-convert on the path; write an SVG"
      let lines = picture.remarks.split(separator: "\n")
      #expect(lines.count { $0.hasPrefix(error) } == 1, "\(picture.remarks)")
      #expect(picture.remarks.contains("apt-get install librsvg2-bin"))
    }
    let folder = try TemporaryFolder()
    let both = try AssayProcess(Self.play + " -o a.png -o a.svg -o a.csv -o -", in: folder.url, environment: path)
    #expect(both.status == 2 && both.output.contains("The chart's EV"), "\(both.remarks)")
    #expect(both.remarks.contains("found no rsvg-convert"))
    #expect(try folder.names() == ["a.csv", "a.svg"])
  }

  @Test("the strategy card needs a converter as PNG and none as SVG")
  func card() throws {
    let folder = try TemporaryFolder()
    let script =
      "#!/bin/sh\ncase $1 in --version) echo rsvg 1;; *) printf '\\211PNG\\r\\n\\032\\n'; /bin/cat \"$5\";; esac\n"
    let tool = try folder.write(script, as: "rsvg-convert")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: tool)
    let process = try AssayProcess(
      Self.chart + " --output card.svg --output card.png --quiet", in: folder.url,
      environment: ["PATH": folder.url.path])
    #expect(process.status == 0, "\(process.remarks)")
    let svg = try Data(contentsOf: folder.url.appendingPathComponent("card.svg"))
    let png = try Data(contentsOf: folder.url.appendingPathComponent("card.png"))
    #expect(png == Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) + svg)
  }

  @Test("the converter that scripts/setup installs makes the strategy card a PNG of a page's width")
  func realCard() throws {
    let folder = try TemporaryFolder()
    let process = try AssayProcess(Self.chart + " --output card.png --quiet", in: folder.url)
    #expect(process.status == 0, "\(process.remarks)")
    let bytes = try [UInt8](Data(contentsOf: folder.url.appendingPathComponent("card.png")))
    #expect(bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]))
    // The width stands in the first chunk (PNG specification, section 11.2.2).
    try #require(bytes.count > 24)
    #expect(bytes[16..<20].reduce(0) { $0 << 8 | Int($1) } > 800)
  }
}
