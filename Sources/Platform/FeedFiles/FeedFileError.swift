// SPDX-License-Identifier: GPL-3.0-or-later
package import ClubCore

/// What can be wrong with a file that should hold a feed.
package enum FeedFileError: Error, Hashable, Sendable {
  /// The file cannot be read: what was found there, and what was expected.
  case unreadable(path: String, found: String, expected: String)
  /// A compressed file is damaged or cut off behind so many bytes of text, in a line of it; nil where lines were not
  /// counted.
  case damaged(path: String, line: Int?, behind: Int, found: String)
  /// The file was read, and something in it is no feed.
  case badFeed(ClubError)
}

extension FeedFileError: CustomStringConvertible {
  /// One sentence: which file, what was found, and what was expected.
  package var description: String {
    switch self {
    case .unreadable(let path, let found, let expected): "\(path): found \(found), expected \(expected)."
    case .damaged(let path, let line, let behind, let found):
      "\(path)\(line.map { ":\($0)" } ?? ""): found \(found) behind \(behind) bytes of text, "
        + "expected a whole gzip file; fetch it again."
    case .badFeed(let error): error.description
    }
  }
}

extension FeedFileError {
  /// What is expected of every file here.
  static let feed = "a file of a club's feed"
}
