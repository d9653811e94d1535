// SPDX-License-Identifier: GPL-3.0-or-later

/// What can be wrong with a file that should hold a feed.
public enum FeedFileError: Error, Hashable, Sendable {
  /// The file cannot be read: what was found there, and what was expected.
  case unreadable(path: String, found: String, expected: String)
  /// A compressed file is damaged or cut off behind so many bytes of text.
  case damaged(path: String, behind: Int, found: String)
}

extension FeedFileError: CustomStringConvertible {
  /// One sentence: which file, what was found, and what was expected.
  public var description: String {
    switch self {
    case .unreadable(let path, let found, let expected): "\(path): found \(found), expected \(expected)."
    case .damaged(let path, let behind, let found):
      "\(path): found \(found) behind \(behind) bytes of text, expected a whole gzip file; fetch it again."
    }
  }
}
