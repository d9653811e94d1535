// SPDX-License-Identifier: GPL-3.0-or-later

/// What made a span. Spans of one kind that make values of one type can stand in for each other.
@usableFromInline
enum SpanKind: UInt64, Sendable {
  case custom = 1
  case bind
  case tuple
  case collection
  case choice
  case recursion
  case root
  case words

  /// The kind and the type together. It means nothing outside this process.
  @usableFromInline
  func label<Value>(_ type: Value.Type) -> UInt64 {
    rawValue << 56 ^ UInt64(UInt(bitPattern: ObjectIdentifier(type)))
  }
}
