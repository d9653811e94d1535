// SPDX-License-Identifier: GPL-3.0-or-later
internal import Mustache

/// What a template can name at one place.
///
/// A name that is not there is empty: it is not looked for further out, as Mustache would, so a paragraph inside a
/// list never borrows from the list.
struct TemplateValues: MustacheParent, ExpressibleByDictionaryLiteral {
  /// Nothing: neither written nor entered as a section.
  private struct Nothing: MustacheCustomRenderable {
    var renderText: String { "" }
    var isNull: Bool { true }
  }

  private let values: [String: Any]

  /// Names with their values; `nil` and the empty text are nothing.
  init(dictionaryLiteral members: (String, Any?)...) {
    values = Dictionary(
      members.compactMap { name, value in
        guard let value, value as? String != "" else { return nil }
        return (name, value)
      }, uniquingKeysWith: { $1 })
  }

  func child(named name: String) -> Any? { values[name] ?? Nothing() }
}
