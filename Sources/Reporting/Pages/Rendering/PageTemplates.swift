// SPDX-License-Identifier: GPL-3.0-or-later
internal import Mustache

/// The files of the `Templates` folder, which are part of the executable.
enum PageTemplates {
  /// The style of every page; it names the palette's properties and no colours.
  static let style = text(PackageResources.page_css)

  /// The script of every page.
  static let script = text(PackageResources.page_js)

  /// Every template by its name.
  static let sources: [(name: String, text: String)] = [
    ("page", PackageResources.page_mustache),
    ("judgement", PackageResources.judgement_mustache),
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

  /// What a template makes of the values.
  static func render(_ name: String, _ values: TemplateValues) -> String {
    switch library {
    case .success(let library): library.render(values, withTemplate: name) ?? "no template is called \(name)"
    case .failure(let error): "a template cannot be read: \(error)"
    }
  }

  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
