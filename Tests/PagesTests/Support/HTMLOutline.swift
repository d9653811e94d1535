// SPDX-License-Identifier: GPL-3.0-or-later
/// The tags of a page in order, with the names of their attributes: what a browser builds of it, without the texts.
struct HTMLOutline {
  private(set) var tags: [String] = []
  private(set) var values: [(tag: String, attribute: String, value: String)] = []

  /// Reads byte by byte as a browser's tokeniser does, raw texts included.
  init(_ html: String) {
    let bytes = Array(html.utf8)
    var place = 0
    func starts(_ text: String) -> Bool { bytes[place...].starts(with: text.utf8) }
    func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
    func word() -> String {
      let start = place
      while place < bytes.count, !" \n\t/>=\"'".utf8.contains(bytes[place]) { place += 1 }
      return String(decoding: bytes[start..<place], as: UTF8.self)
    }
    while place < bytes.count {
      let next = place + 1 < bytes.count ? bytes[place + 1] : 0
      guard bytes[place] == UInt8(ascii: "<"), isLetter(next) || next == 0x2F || next == 0x21 || next == 0x3F else {
        place += 1
        continue
      }
      place += 1
      let name = word() + (bytes[place] == 0x2F && bytes[place - 1] == 0x3C ? Self.end(&place, bytes) : "")
      var attributes: [String] = []
      while place < bytes.count, bytes[place] != UInt8(ascii: ">") {
        if " \n\t/".utf8.contains(bytes[place]) {
          place += 1
          continue
        }
        let attribute = word()
        guard starts("=") else {
          attributes.append(attribute)
          if attribute.isEmpty { place += 1 }
          continue
        }
        place += 1
        var value = ""
        if starts("\"") || starts("'") {
          let quote = bytes[place]
          let start = place + 1
          place = bytes[start...].firstIndex(of: quote) ?? bytes.count
          value = String(decoding: bytes[start..<place], as: UTF8.self)
          place += 1
        } else {
          value = word()
        }
        attributes.append(attribute)
        values.append((name, attribute, value))
      }
      tags.append(([name] + attributes).joined(separator: " "))
      if ["script", "style", "title"].contains(name) {
        while place < bytes.count, !starts("</\(name)") { place += 1 }
      }
    }
  }

  private static func end(_ place: inout Int, _ bytes: [UInt8]) -> String {
    let start = place
    while place < bytes.count, bytes[place] != UInt8(ascii: ">") { place += 1 }
    return String(decoding: bytes[start..<place], as: UTF8.self)
  }
}
