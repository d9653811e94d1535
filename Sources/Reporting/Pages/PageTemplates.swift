// SPDX-License-Identifier: GPL-3.0-or-later
internal import Mustache

/// The files of the `Templates` folder, which are part of the executable.
enum PageTemplates {
  /// The style of every page; it names the palette's properties and no colours.
  static let style = text(PackageResources.page_css)

  static let script = text(PackageResources.page_js)

  static let sources: [(name: String, text: String)] = [
    ("page", PackageResources.page_mustache),
    ("badge", PackageResources.badge_mustache),
    ("thresholds", PackageResources.thresholds_mustache),
    ("paragraph", PackageResources.paragraph_mustache),
    ("list", PackageResources.list_mustache),
    ("table", PackageResources.table_mustache),
    ("bare-table", PackageResources.bare_table_mustache),
    ("figure", PackageResources.figure_mustache),
    ("grid", PackageResources.grid_mustache),
    ("code", PackageResources.code_mustache),
    ("details", PackageResources.details_mustache),
    ("part", PackageResources.part_mustache),
  ].map { ($0.0, text($0.1)) }

  /// The templates, ready to render, or what is wrong with one; the tests see to it that nothing is.
  static let library: Result<MustacheLibrary, any Error> = Result {
    MustacheContentTypes.register(PageText(), named: PageText.name)
    var library = MustacheLibrary()
    for source in sources {
      try library.register(source.text, named: source.name)
    }
    return library
  }

  static func render(_ name: String, _ values: TemplateValues) -> String {
    switch library {
    case .success(let library): library.render(values, withTemplate: name) ?? "no template is called \(name)"
    case .failure(let error): "a template cannot be read: \(error)"
    }
  }

  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}

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

/// How templates write what comes from data: escaped for HTML, scalar by scalar.
///
/// A quotation mark and an accent that combines with it are one character of Swift, yet two for a browser; the accent
/// must not carry the mark past the escaping. Control characters, which HTML forbids, become the pictures that Unicode
/// has of them, so they are seen instead of lost.
struct PageText: MustacheContentType {
  static let name = "PAGE"

  func escapeText(_ text: String) -> String {
    var escaped = ""
    escaped.unicodeScalars.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars {
      switch scalar {
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "&": escaped += "&amp;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      default: escaped.unicodeScalars.append(Self.shown(scalar))
      }
    }
    return escaped
  }

  /// The scalar itself, or what stands for one that a page may not hold.
  private static func shown(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    switch scalar.value {
    case 0x09, 0x0A: scalar
    case 0x00...0x1F: Unicode.Scalar(0x2400 + scalar.value) ?? "\u{FFFD}"
    case 0x7F: "\u{2421}"
    case 0x80...0x9F, 0xFDD0...0xFDEF: "\u{FFFD}"
    // What turns the direction of the text around it, beyond its own end.
    case 0x202A...0x202E, 0x2066...0x2069: "\u{FFFD}"
    default: scalar.value & 0xFFFE == 0xFFFE ? "\u{FFFD}" : scalar
    }
  }
}
