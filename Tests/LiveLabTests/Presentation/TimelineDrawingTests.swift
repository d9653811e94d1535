// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import LiveCore
import Reporting
import Testing

@testable import LiveLab

#if canImport(FoundationXML)
  import FoundationXML
#endif

@Suite("A timeline's picture")
struct TimelineDrawingTests {
  private static func picture(title: String = "Lift") throws -> String {
    let fault = TimedFault(.blackHole, at: .zero + .seconds(1_000), lasting: .seconds(25))
    var session = ScriptedSession(try FaultSchedule([fault], duration: .seconds(3_600)))
    session.tell(.start, at: 0)
    session.tell(.opened(Generation(1)), at: 1)
    session.change(.faultBegan(0), at: 1_000)
    session.tell(.closed(Generation(1), Closure(.network, CloseCode(1006))), at: 1_020)
    return try #require(session.timeline(title: title).rendered(as: .svg))
  }

  @Test("it is a whole document that needs nothing from elsewhere")
  func wholeDocument() throws {
    let picture = try Self.picture()
    #expect(XMLParser(data: Data(picture.utf8)).parse())
    #expect(picture.matches(of: #/(https?:)?\/\/[a-z]/#).count == 1, "the name of SVG itself alone")
    #expect(!picture.contains("href") && !picture.contains("@import") && !picture.contains("url("))
  }

  @Test("texts of somebody else's cannot become elements")
  func escaped() throws {
    let picture = try Self.picture(title: "<b> & \"c\"")
    #expect(picture.contains("&lt;b&gt; &amp; &quot;c&quot;") && !picture.contains("<b>"))
    #expect(XMLParser(data: Data(picture.utf8)).parse())
  }

  @Test("it has a lane for each thing, the silence folded, and a title on every band")
  func lanes() throws {
    let picture = try Self.picture()
    for lane in ["faults", "served in truth", "socket", "client says", "attempts", "heartbeat", "messages"] {
      #expect(picture.contains(">\(lane)</text>"))
    }
    #expect(picture.contains("black-hole 25 s: 16:40.000, 25 s"))
    #expect(picture.contains(">+ 16 min</text>"))
  }

  @Test("it follows light and dark, and both can be read", arguments: [false, true])
  func contrast(isDark: Bool) throws {
    let colour: (TimelinePaint) -> Colour = { isDark ? $0.dark : $0.light }
    let picture = try Self.picture()
    #expect(picture.contains("@media (prefers-color-scheme:dark)"))
    for paint in TimelinePaint.allCases where paint != .ground && paint != .rule {
      let needed = paint == .ink || paint == .quiet ? 4.5 : 3
      #expect(colour(paint).contrast(with: colour(.ground)) >= needed, "\(paint)")
      #expect(picture.contains(colour(paint).hexadecimal))
    }
  }
}
