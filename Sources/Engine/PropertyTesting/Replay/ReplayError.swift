// SPDX-License-Identifier: GPL-3.0-or-later

/// Why a replay token cannot be used, with what a person needs to mend it.
public enum ReplayError: Error, Sendable, Hashable {
  /// The text is no token at all.
  case notAToken(found: String)
  /// The token was written by another version.
  case otherVersion(found: String, property: String)
  /// The token belongs to another property than the one to replay.
  case otherProperty(token: String, property: String)
  /// Letters of the token were lost or changed.
  case damaged(property: String, found: String)
}

extension ReplayError: CustomStringConvertible {
  /// One sentence: the value found, what was expected, how to mend it.
  public var description: String {
    switch self {
    case .notAToken(let found):
      "replay token: found '\(Self.shortened(found))', expected PROPERTY:\(ReplayToken.version):LETTERS on one line, as"
        + " a failure prints it."
    case .otherVersion(let found, let property):
      "replay token of '\(property)': found format version \(found), expected \(ReplayToken.version); find the failure"
        + " again with this version, or replay it with the one that wrote it."
    case .otherProperty(let token, let property):
      "replay token: found one of '\(token)', expected one of '\(property)'; name the property it belongs to."
    case .damaged(let property, let found):
      "replay token of '\(property)': '\(Self.shortened(found))' is damaged, letters are missing or changed; copy the"
        + " whole word again."
    }
  }

  private static func shortened(_ text: String) -> String {
    let visible = PlainText.escaped(text)
    return visible.count <= 60 ? visible : visible.prefix(57) + "..."
  }
}
