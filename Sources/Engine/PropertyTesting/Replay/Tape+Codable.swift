// SPDX-License-Identifier: GPL-3.0-or-later

/// A tape is one text. The labels of its spans stand for any when it is read.
extension Tape: Codable {
  /// Writes the tape as one text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(Base64URL.encode(TapeCoding.encode(self)))
  }

  /// Reads a tape.
  ///
  /// - Throws: `DecodingError.dataCorrupted` for a text that is none.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let bytes = Base64URL.decode(text[...].utf8), let tape = TapeCoding.decode(bytes) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a tape")
    }
    self = tape
  }
}
