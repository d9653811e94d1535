// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// How many sockets of this process have that TCP port at either end, those that listen included.
package func sockets(withPort port: Int) throws -> Int {
  var mine: Set<String> = []
  for name in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
    let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)")
    if let target, target.hasPrefix("socket:[") { mine.insert(String(target.dropFirst(8).dropLast())) }
  }
  let hexadecimal = String(port, radix: 16, uppercase: true)
  let ending = ":" + String(repeating: "0", count: 4 - hexadecimal.count) + hexadecimal
  let table = try String(contentsOfFile: "/proc/self/net/tcp", encoding: .utf8)
  return table.split(separator: "\n").dropFirst().count { line in
    let fields = line.split(separator: " ")
    return fields.count > 9 && (fields[1].hasSuffix(ending) || fields[2].hasSuffix(ending))
      && mine.contains(String(fields[9]))
  }
}
