// SPDX-License-Identifier: Apache-2.0

/// The fields of a profile that are edited in place, with their limits.
public enum ProfileField: String, CaseIterable, Codable, Sendable {
  case displayName, username, bio, email, phone

  /// The largest length: grapheme clusters, or bytes for an e-mail address.
  public var mostCharacters: Int {
    switch self {
    case .displayName: 50
    case .username: 30
    case .bio: 300
    case .email: 254
    case .phone: 16
    }
  }
}

/// The reason why a text is not saved; the text is kept and shown with it.
public enum FieldProblem: Hashable, Sendable, CustomStringConvertible {
  case isReadOnly
  case isEmpty
  case isTooLong(count: Int, most: Int)
  case hasControlCharacter
  case isNoAddress
  case isNoPhoneNumber

  /// The problem and how to correct it, for display.
  public var description: String {
    switch self {
    case .isReadOnly: "A username cannot be changed here."
    case .isEmpty: "Found nothing; enter at least one character."
    case .isTooLong(let count, let most): "Found \(count) characters; shorten it to \(most)."
    case .hasControlCharacter: "Found a control character; remove it."
    case .isNoAddress: "Found no e-mail address; enter one such as name@example.org."
    case .isNoPhoneNumber: "Found no international number; enter + and 8 to 15 digits, such as +41441234567."
    }
  }
}

/// A text that an editor can merge and check.
public protocol EditableText: Hashable, Sendable {
  /// The text with both sides' changes of a common base; `nil` if they conflict.
  static func merged(base: Self, mine: Self, theirs: Self) -> Self?
  /// The reason why a field does not allow the text; `nil` if it does.
  func problem(in field: ProfileField) -> FieldProblem?
}

extension String: EditableText {
  /// Merges by lines, or by words if all texts are single lines.
  public static func merged(base: String, mine: String, theirs: String) -> String? {
    let isLine = ![base, mine, theirs].contains { $0.contains(where: \.isNewline) }
    return ThreeWayMerge(base: base, mine: mine, theirs: theirs, by: isLine ? .words : .lines).merged?.joined()
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
    if length > field.mostCharacters { return .isTooLong(count: length, most: field.mostCharacters) }
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
