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
    abstract: "Computes the contrast of two colours by WCAG 2.2, and the roles for which it is enough.",
    discussion: """
      Example: assay contrast ratio '#777' '#fff'
      Example: assay contrast ratio 'rgb(0 0 0 / 54%)' 'color(display-p3 1 0.9 0.8)' --format json

      A colour is written as CSS writes it: #rgb, #rrggbb, #rrggbbaa, rgb(), hsl(), hwb(), lab(), lch(), oklab(), \
      oklch(), color(), a name such as tomato. A translucent colour is composited over what lies below. A colour \
      outside sRGB is replaced by the nearest one inside. The ratio is never rounded up.
      """)

  @Argument(help: "The colour in front. Example: '#777'") var foreground: String
  @Argument(help: "The colour behind it. Example: '#fff'") var background: String

  @Option(
    help: ArgumentHelp("The colour below a translucent background. Example: --below '#000'", valueName: "colour"))
  var below = "#ffffff"

  @OptionGroup var destination: OutputOptions<TableFormats>

  func run() throws {
    let plan = try destination.plan(for: "contrast ratio")
    let front = try Self.colour(foreground, "<foreground>")
    let back = try Self.colour(background, "<background>").over(Self.colour(below, "--below"))
    let seen = front.over(back)
    let ratio = Contrast.ratio(of: seen, on: back)
    let share = Double(Contrast.count(reaching: 4.5, against: back)) / Double(1 << 24)
    let rows = ContrastRole.allCases.map { role in
      [role.rawValue] + ContrastLevel.allCases.map { ratio >= role.minimum(for: $0) ? "passes" : "fails" }
    }
    let nearest = seen.nearest(meeting: [ContrastDemand(4.5, against: back)])
    let fix = nearest.map { ratio < 4.5 ? " The nearest to the first that reaches it is \($0.hex)." : "" } ?? ""
    let document = Document(
      id: "ratio", title: "\(Contrasts.shown(ratio)):1, \(seen.hex) on \(back.hex)",
      [
        .table(Table(["role"] + ContrastLevel.allCases.map(\.rawValue), rows: rows)),
        .paragraph("\(NumberFormat.percent(share, decimals: 1)) of all colours reach 4.5 on the second.\(fix)"),
      ],
      data: Table(records: [Self.json(ratio, seen, back, nearest)]))
    try plan.write(document, json: Self.json(ratio, seen, back, nearest))
  }

  private static func json(
    _ ratio: Double, _ front: ContrastCore.Colour, _ back: ContrastCore.Colour, _ nearest: ContrastCore.Colour?
  ) -> JSONValue {
    let levels = ContrastRole.allCases.map { role in
      JSONMember(
        role.rawValue,
        .object(ContrastLevel.allCases.map { JSONMember($0.rawValue, .bool(ratio >= role.minimum(for: $0))) }))
    }
    return .object(
      [
        JSONMember("foreground", .string(front.hex)), JSONMember("background", .string(back.hex)),
        JSONMember("ratio", .number(ratio)), JSONMember("nearestForText", nearest.map { .string($0.hex) } ?? .null),
      ] + levels)
  }

  private static func colour(_ text: String, _ option: String) throws(CommandError) -> ContrastCore.Colour {
    guard let colour = ContrastCore.Colour(css: text) else {
      throw .badValue(
        option: option, found: text, expected: "a colour as CSS writes it, for example '#777' or 'rgb(0 0 0 / 54%)'")
    }
    return colour.mapped
  }
}
