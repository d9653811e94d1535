// SPDX-License-Identifier: GPL-3.0-or-later

/// What there is to write in a schedule: every fault with its values and what it does.
package enum FaultGuide {
  /// A line for each fault: `loss for=TIME share=SHARE: packets are lost, each on its own`.
  package static var text: String { Fault.Kind.allCases.map(line).joined(separator: "\n") }

  static func line(_ kind: Fault.Kind) -> String {
    let lasting = kind.isMoment ? [] : ["for=TIME"]
    return ([kind.rawValue] + lasting + kind.parameters.map(written)).joined(separator: " ") + ": \(kind.meaning)"
  }

  /// A value to be said as `share=SHARE`, another as `[delay=0s]` with what stands for it, or `[retry-after=TIME]`
  /// where that is none.
  private static func written(_ parameter: FaultParameter) -> String {
    guard let standard = parameter.standard else { return "\(parameter.name)=\(placeholder(parameter))" }
    let value = standard == FaultParameter.none ? placeholder(parameter) : parameter.text(standard)
    return "[\(parameter.name)=\(value)]"
  }

  private static func placeholder(_ parameter: FaultParameter) -> String {
    switch parameter.unit {
    case .time: "TIME"
    case .portion: "SHARE"
    case .count: "NUMBER"
    case .word(let words): words.joined(separator: "|")
    }
  }
}
