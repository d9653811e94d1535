// SPDX-License-Identifier: Apache-2.0

import BlackjackCore
import Testing

/// The cards of a text such as `A 7 10`.
func cards(_ text: String) throws -> [CardValue] {
  try text.split(separator: " ").map { try #require(CardValue($0), "no card: \($0)") }
}

/// The hand of a text such as `A 7`.
func hand(_ text: String) throws -> Hand { Hand(try cards(text)) }

/// The error that a closure throws, for tests that read its parts.
func blackjackError(_ body: () throws -> Void) -> BlackjackError? {
  do {
    try body()
    return nil
  } catch {
    return error as? BlackjackError
  }
}
