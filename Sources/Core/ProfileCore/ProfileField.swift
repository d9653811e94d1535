// SPDX-License-Identifier: Apache-2.0

/// The fields of a profile that are edited in place, with their limits.
public enum ProfileField: String, CaseIterable, Codable, Sendable {
  case displayName, username, bio, email, phone

  /// The largest length: grapheme clusters, or bytes for an e-mail address.
  public var maxCharacters: Int {
    switch self {
    case .displayName: 50
    case .username: 30
    case .bio: 300
    case .email: 254
    case .phone: 16
    }
  }

  /// True if the field holds free text, in which changes of several words can be merged; the others hold one value.
  var isFreeText: Bool { self == .bio }
}

/// The reason why a text is not saved; the text is kept and shown with it.
public enum FieldProblem: Hashable, Sendable, CustomStringConvertible {
  case isReadOnly
  case isEmpty
  case isTooLong(count: Int, maximum: Int)
  case hasControlCharacter
  case isNoAddress
  case isNoPhoneNumber

  /// The problem and how to correct it, for display.
  public var description: String {
    switch self {
    case .isReadOnly: "A username cannot be changed here."
    case .isEmpty: "Found nothing; enter at least one character."
    case .isTooLong(let count, let maximum): "Found \(count) characters; shorten it to \(maximum)."
    case .hasControlCharacter: "Found a control character; remove it."
    case .isNoAddress: "Found no e-mail address; enter one such as name@example.org."
    case .isNoPhoneNumber: "Found no international number; enter + and 8 to 15 digits, such as +41441234567."
    }
  }
}

/// A text that an editor can merge and check.
public protocol EditableText: Hashable, Sendable {
  /// The text of a field with both sides' changes of a common base; `nil` if they conflict.
  static func merged(in field: ProfileField, base: Self, mine: Self, theirs: Self) -> Self?
  /// The text that a field shows after a person typed or pasted this one.
  func entered(in field: ProfileField) -> Self
  /// The reason why a field does not allow the text; `nil` if it does.
  func problem(in field: ProfileField) -> FieldProblem?
}

extension EditableText {
  /// The text as it was typed.
  @inlinable
  public func entered(in field: ProfileField) -> Self { self }
}

extension String: EditableText {
  /// Merges a bio by lines, or by words if all texts are single lines. Every other field holds one value, such as an
  /// address: if both sides changed it, they conflict.
  public static func merged(in field: ProfileField, base: String, mine: String, theirs: String) -> String? {
    if mine == theirs || theirs == base { return mine }
    if mine == base { return theirs }
    guard field.isFreeText else { return nil }
    let isLine = ![base, mine, theirs].contains { $0.contains(where: \.isNewline) }
    return ThreeWayMerge(base: base, mine: mine, theirs: theirs, by: isLine ? .words : .lines).merged?.joined()
  }

  /// A bio with LF for the line ends CR LF and CR, and a blank for a tab, as texts are pasted.
  public func entered(in field: ProfileField) -> String {
    guard field.isFreeText, utf8.contains(where: { $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: "\t") }) else {
      return self
    }
    var text = String.UnicodeScalarView()
    var last: Unicode.Scalar?
    for scalar in unicodeScalars {
      defer { last = scalar }
      switch scalar {
      case "\r": text.append("\n")
      case "\n" where last == "\r": continue
      case "\t": text.append(" ")
      default: text.append(scalar)
      }
    }
    return String(text)
  }

  /// Display names need a visible character, e-mail addresses the form of HTML's `input type=email` with a dot in the
  /// domain, phone numbers that of E.164: a plus, 8 to 15 digits, no 0 as the first. The last two may be empty.
  public func problem(in field: ProfileField) -> FieldProblem? {
    let length = field == .email ? utf8.count : count
    switch field {
    case .username: return .isReadOnly
    case .displayName where allSatisfy(\.isWhitespace): return .isEmpty
    case .email where !isEmpty && !isAddress: return .isNoAddress
    case .phone where !isEmpty && !isPhoneNumber: return .isNoPhoneNumber
    default: break
    }
    if length > field.maxCharacters { return .isTooLong(count: length, maximum: field.maxCharacters) }
    let isLine = field != .bio
    let isControl = unicodeScalars.contains { $0.properties.generalCategory == .control && (isLine || $0 != "\n") }
    return isControl ? .hasControlCharacter : nil
  }

  private var isPhoneNumber: Bool {
    let digits = utf8.dropFirst()
    return utf8.first == UInt8(ascii: "+") && (8...15).contains(digits.count)
      && digits.first != UInt8(ascii: "0") && digits.allSatisfy { 0x30...0x39 ~= $0 }
  }

  private var isAddress: Bool {
    let parts = utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
    guard parts.count == 2, (1...64).contains(parts[0].count) else { return false }
    func isPlain(_ byte: UInt8) -> Bool {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
      default: false
      }
    }
    let isGoodName = parts[0].allSatisfy { isPlain($0) || ".!#$%&'*+/=?^_`{|}~-".utf8.contains($0) }
    let labels = parts[1].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    let hyphen = UInt8(ascii: "-")
    return isGoodName && labels.count > 1
      && labels.allSatisfy { label in
        (1...63).contains(label.count) && label.first != hyphen && label.last != hyphen
          && label.allSatisfy { isPlain($0) || $0 == hyphen }
      }
  }
}
