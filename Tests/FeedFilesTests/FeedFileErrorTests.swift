// SPDX-License-Identifier: GPL-3.0-or-later
import FeedFiles
import Testing

@Suite("Errors of feed files")
struct FeedFileErrorTests {
  @Test("an error names the file, what was found, and what was expected")
  func description() {
    let error = FeedFileError.unreadable(path: "weeks", found: "a directory", expected: "a file of a club's feed")
    #expect(error.description == "weeks: found a directory, expected a file of a club's feed.")
  }
}
