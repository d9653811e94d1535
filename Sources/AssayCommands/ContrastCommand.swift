// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser
internal import ContrastCore
internal import ContrastLab
internal import Reporting
internal import Scenarios
internal import Workbench

struct ContrastRatioCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ratio",
    abstract: "Computes the contrast of two colours by WCAG 2.2, and shows the roles for which it is enough.",
    discussion: """
      Example: assay contrast ratio '#777' '#fff'
      Example: assay contrast ratio 'rgb(0 0 0 / 54%)' 'color(display-p3 1 0.9 0.8)' --format json

      A colour is written as CSS writes it: #rgb, #rrggbb, #rrggbbaa, rgb(), hsl(), hwb(), lab(), lch(), oklab(), \
      oklch(), color(), a name such as tomato. A translucent colour is composited over what lies below. A colour \
      outside sRGB is replaced by the nearest one inside. The ratio is never rounded up.
      """)

  @Argument("foreground", .css, "The colour in front. Example: '#777'") var foreground: ContrastCore.Colour
  @Argument("background", .css, "The colour behind it. Example: '#fff'") var background: ContrastCore.Colour
  @Option("below", .css, "The colour below a translucent background.", example: "'#000'")
  var below = ContrastCore.Colour.white

  @OptionGroup var destination: OutputOptions<TableFormats>

  func run() throws {
    let plan = try destination.plan(for: "contrast ratio")
    let ratio = ContrastRatio(of: foreground, on: background, over: below)
    try plan.write(ratio.document, json: ratio.json)
  }
}

extension ValueType where Value == ContrastCore.Colour {
  /// A colour as CSS writes it; the nearest one inside sRGB if it lies outside.
  fileprivate static var css: Self {
    ValueType<String>.text("colour", expected: "a colour as CSS writes it, for example '#777' or 'rgb(0 0 0 / 54%)'")
      .map {
        ContrastCore.Colour(css: $0)?.mapped
      } back: {
        $0.hex
      }
  }
}
