// SPDX-License-Identifier: GPL-3.0-or-later
import Reporting
import Testing

@Suite("Colours are shown on a terminal only")
struct TerminalStyleTests {
  @Test(
    "NO_COLOR, a dumb terminal and a stream that is none show no colours",
    arguments: [
      (true, [:], true), (false, [:], false), (true, ["NO_COLOR": "1"], false), (true, ["NO_COLOR": ""], true),
      (true, ["TERM": "dumb"], false), (true, ["TERM": "xterm-256color"], true),
    ] as [(Bool, [String: String], Bool)])
  func colours(isTerminal: Bool, environment: [String: String], expected: Bool) {
    #expect(TerminalStyle(isTerminal: isTerminal, environment: environment).isColoured == expected)
  }

  @Test("a plain style leaves the text unchanged, a coloured one resets the colour")
  func painting() {
    let plain = TerminalStyle(isColoured: false)
    #expect([plain.painted("H", on: .ink), plain.bold("H")] == ["H", "H"])
    let coloured = TerminalStyle(isColoured: true)
    #expect(coloured.painted("H", on: Colour(0x0000FF)) == "\u{1B}[38;2;255;255;255;48;2;0;0;255mH\u{1B}[0m")
    #expect(coloured.bold("H").hasSuffix("\u{1B}[0m"))
  }

  @Test("contrast follows WCAG: 21 for black on white, 1 for a colour on itself")
  func contrast() {
    #expect(abs(Colour(0).contrast(with: .paper) - 21) < 1e-9)
    #expect(Colour(0x2F7FC1).contrast(with: Colour(0x2F7FC1)) == 1)
    #expect(abs(Colour(0x777777).contrast(with: .paper) - 4.48) < 0.01)
    #expect(Colour(0x0072B2).hexadecimal == "#0072b2")
  }

  @Test(
    "a verdict that begins a line is coloured, the same word elsewhere is not, nor anything without colours"
  )
  func verdicts() {
    let text = "verdict  threshold\nholds    ev >= 0 holds\nfails    x == 0\nFAILS: 1 of 2\nholdsome words\n"
    #expect(
      TerminalStyle(isColoured: true).verdicts(text)
        == "verdict  threshold\n\u{1B}[1;32mholds\u{1B}[0m    ev >= 0 holds\n\u{1B}[1;31mfails\u{1B}[0m    x == 0\n"
        + "\u{1B}[1;31mFAILS\u{1B}[0m: 1 of 2\nholdsome words\n")
    #expect(TerminalStyle(isColoured: false).verdicts(text) == text)
  }
}
