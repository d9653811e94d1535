// SPDX-License-Identifier: GPL-3.0-or-later

/// Arguments as people type them.
enum TypedArguments {
  /// The arguments with every value that begins with a minus and a digit attached to its option: `--ramp -20:1 -4:2`
  /// becomes `--ramp=-20:1 --ramp=-4:2`. ArgumentParser would take such a value in a list for options.
  static func attachingNegatives(_ arguments: [String]) -> [String] {
    var (attached, option) = ([String](), String?.none)
    for (index, argument) in arguments.enumerated() {
      if argument == "--" { return attached + arguments[index...] }
      let sign = argument.hasPrefix("-") ? argument.dropFirst().first : nil
      if let option, let sign, sign.isNumber || sign == "." {
        if attached.last == option { attached.removeLast() }
        attached.append("\(option)=\(argument)")
        continue
      }
      if sign == "-" { option = String(argument.prefix { $0 != "=" }) } else if sign != nil { option = nil }
      attached.append(argument)
    }
    return attached
  }
}
