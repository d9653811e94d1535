// SPDX-License-Identifier: GPL-3.0-or-later
public import ContrastCore
public import Reporting
public import Scenarios

/// The contrast of two colours, and the roles for which it is enough.
public struct ContrastRatio {
  /// The colour in front as it is seen, composited over the one behind.
  private let front: ContrastCore.Colour
  private let back: ContrastCore.Colour
  private let ratio: Double
  /// The nearest colour to the one in front that is enough for texts; nil if there is none.
  private let nearest: ContrastCore.Colour?

  /// - Parameters:
  ///   - foreground: The colour in front.
  ///   - background: The colour behind it.
  ///   - below: The colour below a translucent background.
  public init(
    of foreground: ContrastCore.Colour, on background: ContrastCore.Colour, over below: ContrastCore.Colour
  ) {
    back = background.over(below)
    front = foreground.over(back)
    ratio = Contrast.ratio(of: front, on: back)
    nearest = front.nearest(meeting: [ContrastDemand(4.5, against: back)])
  }

  /// The ratio with a row for each role.
  public var document: Document {
    let share = Double(Contrast.count(reaching: 4.5, against: back)) / Double(1 << 24)
    let fix = nearest.map { ratio < 4.5 ? " The nearest to the first that reaches it is \($0.hex)." : "" } ?? ""
    return Document(
      id: "ratio", title: "\(Contrasts.shown(ratio)):1, \(front.hex) on \(back.hex)",
      [
        .table(
          Table(
            ["role"] + ContrastLevel.allCases.map(\.rawValue),
            rows: ContrastRole.allCases.map { role in
              [role.rawValue] + ContrastLevel.allCases.map { passes(role, $0) ? "passes" : "fails" }
            })),
        .paragraph("\(NumberFormat.percent(share, decimals: 1)) of all colours reach 4.5 on the second.\(fix)"),
      ],
      data: Table(records: [json]))
  }

  /// The ratio with a member for each role.
  public var json: JSONValue {
    .object(
      [
        JSONMember("foreground", .string(front.hex)), JSONMember("background", .string(back.hex)),
        JSONMember("ratio", .number(ratio)), JSONMember("nearestForText", nearest.map { .string($0.hex) } ?? .null),
      ]
        + ContrastRole.allCases.map { role in
          JSONMember(
            role.rawValue,
            .object(ContrastLevel.allCases.map { JSONMember($0.rawValue, .bool(passes(role, $0))) }))
        })
  }

  private func passes(_ role: ContrastRole, _ level: ContrastLevel) -> Bool { ratio >= role.minimum(for: level) }
}
