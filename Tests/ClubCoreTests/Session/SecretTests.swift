// SPDX-License-Identifier: Apache-2.0
import ClubCore
import Testing

@Suite("Secrets")
struct SecretTests {
  private static let words = ["hunter2-access", "hunter2-refresh"]

  private func credentials() throws -> Credentials {
    Credentials(
      accessToken: try #require(Secret(Self.words[0])), refreshToken: try #require(Secret(Self.words[1])),
      expiry: Sample.monday)
  }

  /// Everything that prints a value.
  private func prints(of value: some Any) -> [String] {
    var dumped = ""
    dump(value, to: &dumped)
    return [
      dumped, "\(value)", String(describing: value), String(reflecting: value),
      "\(Mirror(reflecting: value).children.map { "\($0)" })", "\([value])", "\(Optional(value) as Any)",
    ]
  }

  @Test("nothing that prints a secret, or what holds one, shows it")
  func neverShown() throws {
    let held = try credentials()
    var session = Session()
    let effects = session.handle(.signedIn(held), at: Sample.monday.adding(seconds: -9000))
    let texts =
      prints(of: held.accessToken) + prints(of: held) + prints(of: session) + prints(of: effects)
      + prints(of: Session.Event.signedIn(held)) + prints(of: ["a": held.refreshToken])
      + prints(of: session.handle(.unauthorised(1, generation: session.generation), at: Sample.monday))
    for text in texts { #expect(!text.contains("hunter2")) }
    #expect("\(held.accessToken)" == "<secret>")
    #expect(held.accessToken.revealed() == Self.words[0])
  }

  @Test("a secret has no coding, and nothing in it can be reached by reflection")
  func noCoding() throws {
    let secret: any Sendable = try credentials().accessToken
    #expect(!(secret is any Encodable))
    #expect(!(secret is any Decodable))
    #expect(Mirror(reflecting: secret).children.isEmpty)
  }

  @Test("an empty text is no secret")
  func empty() {
    #expect(Secret("") == nil)
  }
}
