// SPDX-License-Identifier: GPL-3.0-or-later
import Testing

@testable import FeedFiles

@Suite("A file's text, cut at its line ends")
struct LineBlocksTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func blocks(
    _ text: String, size: Int, longestLine: Int = 1000, beginning count: Int = 0
  ) throws -> [String] {
    var file = try FeedFile.open(folder.file("week", text))
    let beginning = count > 0 ? try file.nextChunk(count) ?? [] : []
    var blocks = LineBlocks(file, beginning: beginning, size: size, longestLine: longestLine)
    var block = LineBlock(size: size)
    var found: [String] = []
    while try blocks.next(into: &block) {
      #expect(block.number == found.count)
      found.append(String(decoding: block.bytes[..<block.count], as: UTF8.self))
    }
    return found
  }

  @Test("blocks of every size hold whole lines and make up the text", arguments: 1...130)
  func sizes(size: Int) throws {
    for text in [lines(9), lines(9) + "and no line end", "\n\n\n" + lines(3) + "\n\n", "one line", "\n"] {
      for beginning in [0, 1, 13] {
        let found = try blocks(text, size: size, beginning: beginning)
        #expect(found.joined() == text)
        #expect(found.dropLast().allSatisfy { $0.hasSuffix("\n") })
      }
    }
  }

  @Test("a line that is too long is cut, never to a blank one, and the lines around it are whole", arguments: 1...60)
  func overlong(size: Int) throws {
    for letter in ["x", " "] {
      let long = String(repeating: letter, count: 500)
      let found = try blocks("first\n\(long)\nlast\n\(long)", size: size, longestLine: 64)
      let cut = "?" + long.prefix(62)
      #expect(found.joined() == "first\n\(cut)\nlast\n\(cut)\(letter)")
    }
  }

  @Test("stopped, it hands out no more")
  func stopped() throws {
    var blocks = LineBlocks(try FeedFile.open(folder.file("week", lines(9))), size: 10, longestLine: 100)
    var block = LineBlock(size: 10)
    #expect(try blocks.next(into: &block))
    blocks.stop()
    #expect(try !blocks.next(into: &block))
  }
}
