// SPDX-License-Identifier: Apache-2.0

/// How much of a member's name is shown.
public enum NameStyle: String, CaseIterable, Hashable, Sendable {
  /// The first name and the initial of the last: `Sarah M.`
  case short
  /// As much as the feed tells, for the big screen: `Sarah Miller`
  case full
}

extension AthleteName {
  /// The name as it is shown: the first letter of both names in upper case, whatever the feed has; nothing that
  /// commands a terminal or turns the direction of writing.
  ///
  /// - Parameter style: How much of it.
  /// - Returns: The text.
  public func shown(_ style: NameStyle = .short) -> String {
    let (first, last) = (Self.capitalised(Self.harmless(first)), Self.capitalised(Self.harmless(last)))
    let end = style == .full ? last : last.first.map { $0 == "." ? last : "\($0)." } ?? ""
    return [first, end].filter { !$0.isEmpty }.joined(separator: " ")
  }

  private static func capitalised(_ text: String) -> String {
    guard let letter = text.unicodeScalars.first, !("A"..."Z").contains(letter) else { return text }
    return letter.properties.titlecaseMapping + String(text.unicodeScalars.dropFirst())
  }

  /// Without control characters and the marks that turn the direction of writing.
  static func harmless(_ text: String) -> String {
    if text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) { return text }
    return String(
      String.UnicodeScalarView(
        text.unicodeScalars.filter { scalar in
          scalar.properties.generalCategory != .control && !(0x202A...0x202E).contains(scalar.value)
            && !(0x2066...0x2069).contains(scalar.value)
        }))
  }
}
