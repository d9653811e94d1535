// SPDX-License-Identifier: GPL-3.0-or-later

/// A report as plain data, which a host turns into JSON or whatever it writes.
public indirect enum PlainValue: Sendable, Hashable {
  /// Nothing.
  case null
  /// Yes or no.
  case bool(Bool)
  /// A whole number.
  case integer(Int)
  /// A seed.
  case unsigned(UInt64)
  /// A number.
  case number(Double)
  /// A text.
  case text(String)
  /// Values in order.
  case list([PlainValue])
  /// Names with their values, in this order.
  case record([Member])

  /// A name with its value.
  public struct Member: Sendable, Hashable {
    /// The name, in camel case.
    public let name: String
    /// What stands there.
    public let value: PlainValue

    /// Creates a member.
    public init(_ name: String, _ value: PlainValue) {
      (self.name, self.value) = (name, value)
    }
  }
}

extension PlainValue: ExpressibleByDictionaryLiteral {
  /// A record whose names stay in the order written.
  public init(dictionaryLiteral members: (String, PlainValue)...) {
    self = .record(members.map { Member($0.0, $0.1) })
  }

  static func texts(_ texts: [String]) -> PlainValue { .list(texts.map(PlainValue.text)) }
}
