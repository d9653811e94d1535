// SPDX-License-Identifier: Apache-2.0

/// A value of a JSON document with its place.
package struct JSONNode: Sendable {
  package enum Value: Sendable {
    case null, bool(Bool), number(Double), string(String), array([JSONNode])
    /// The members in the document's order, with distinct names.
    case object([(name: String, value: JSONNode)])
    /// An invalid text, or an invalid or too large number, in a document that was read forgivingly.
    case malformed
  }

  package var value: Value
  /// The index among the documents that the caller reads.
  package let document: Int
  /// The line of the first byte, from 1.
  package let line: Int
  /// The bytes of the value in its document.
  package let bytes: Range<Int>

  /// A list of values that stand in a document one after another, as one array.
  package init(listing elements: [JSONNode]) {
    let (first, last) = (elements.first, elements.last)
    value = .array(elements)
    (document, line) = (first?.document ?? 0, first?.line ?? 1)
    let start = first?.bytes.lowerBound ?? 0
    bytes = start..<max(start, last?.bytes.upperBound ?? 0)
  }

  init(value: Value, document: Int, line: Int, bytes: Range<Int>) {
    (self.value, self.document, self.line, self.bytes) = (value, document, line, bytes)
  }

  package subscript(name: String) -> JSONNode? { members.first { $0.name == name }?.value }

  package var members: [(name: String, value: JSONNode)] {
    if case .object(let members) = value { members } else { [] }
  }
  package var elements: [JSONNode] { if case .array(let elements) = value { elements } else { [] } }
  // Not inlined: Swift 6.3.1 crashes where it optimises a function that asks one node for both.
  @inline(never)
  package var string: String? { if case .string(let text) = value { text } else { nil } }
  @inline(never)
  package var number: Double? { if case .number(let number) = value { number } else { nil } }
  package var isObject: Bool { if case .object = value { true } else { false } }
}

/// An error in a document that is not JSON.
package struct JSONFault: Error {
  package enum Kind: Sendable {
    case noValue, noName, noColon(after: String), noSeparator(before: Unicode.Scalar)
    case number(expected: String), numberOutOfRange
    /// An unknown escape, half of a pair of surrogates, or bytes that are not UTF-8.
    case badText
    case controlCharacter, openText
    case repeated(String), tooDeep, trailing
  }

  package let kind: Kind
  /// The bytes from the start of the text, number or bracket to the byte at which it goes wrong.
  package let bytes: Range<Int>
  /// The line of the byte at which it goes wrong, from 1.
  package let line: Int
}
