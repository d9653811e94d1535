// SPDX-License-Identifier: Apache-2.0
internal import LiveCore
internal import TestSupport
internal import Testing
internal import WebSocketProtocol

@Suite("Addresses")
struct AddressTests {
  @Test(
    "an address is parsed, and written in one form",
    arguments: [
      ("ws://example.com", false, "example.com", 80, "/", "ws://example.com/"),
      ("wss://example.com", true, "example.com", 443, "/", "wss://example.com/"),
      ("WSS://Example.COM:443/Path?Q=1", true, "example.com", 443, "/Path?Q=1", "wss://example.com/Path?Q=1"),
      ("ws://localhost:9000?x=/y", false, "localhost", 9000, "/?x=/y", "ws://localhost:9000/?x=/y"),
      ("ws://127.0.0.1:65535/", false, "127.0.0.1", 65_535, "/", "ws://127.0.0.1:65535/"),
      ("ws://[::1]:1/a", false, "::1", 1, "/a", "ws://[::1]:1/a"),
      ("wss://[2001:DB8::1]/", true, "2001:db8::1", 443, "/", "wss://[2001:db8::1]/"),
      ("ws://[::ffff:10.0.0.1]", false, "::ffff:10.0.0.1", 80, "/", "ws://[::ffff:10.0.0.1]/"),
      ("ws://a_b.example.:80/%20", false, "a_b.example.", 80, "/%20", "ws://a_b.example./%20"),
      ("ws://example.com:", false, "example.com", 80, "/", "ws://example.com/"),
      ("ws://1.example/", false, "1.example", 80, "/", "ws://1.example/"),
    ] as [(String, Bool, String, UInt16, String, String)])
  func good(text: String, isSecure: Bool, host: String, port: UInt16, path: String, description: String) throws {
    let address = try WebSocketAddress(parsing: text)
    #expect(address.isSecure == isSecure)
    #expect(address.host == host)
    #expect(address.port == port)
    #expect(address.path == path)
    #expect(address.description == description)
    #expect(try WebSocketAddress(parsing: description) == address)
    #expect(address.isIPAddress == (host.contains(":") || host == "127.0.0.1"))
  }

  @Test(
    "a bad address is refused with its error",
    arguments: [
      ("", "has to begin with ws:// or wss://"), ("example.com", "has to begin with ws:// or wss://"),
      ("localhost:9000", "has to begin with ws:// or wss://"), ("ws:example.com", "has to begin with ws:// or wss://"),
      ("//example.com", "has to begin with ws:// or wss://"), ("http://example.com", "begins with ws://"),
      ("https://example.com", "begins with wss://"), ("ftp://example.com", "has the scheme 'ftp'"),
      ("ws://", "has no host"),
      ("ws:///path", "has no host"), ("ws://:80/", "has no host"), ("ws://?q", "has no host"),
      ("ws://a/b#c", "has a fragment"),
      ("ws://user@a/", "header field Authorization"), ("ws://u:p@a/", "header field Authorization"),
      ("ws://a:0/", "the port '0'"),
      ("ws://a:65536/", "the port '65536'"), ("ws://a:99999999999999999999/", "the port"),
      ("ws://a:-1/", "the port '-1'"),
      ("ws://a:+1/", "the port '+1'"), ("ws://a:8o/", "the port '8o'"), ("ws://::1/", "brackets, as in [::1]"),
      ("ws://[::1", "a [ without a ]"), ("ws://[::g]/", "no IPv6 address"), ("ws://[127.0.0.1]/", "no IPv6 address"),
      ("ws://[]/", "no IPv6 address"), ("ws://[::1]x/", "behind its host"), ("ws://a b/", "a blank"),
      (" ws://a/", "a blank"),
      ("ws://a/b c", "%20"), ("ws://a/\n", "a control character"), ("ws://a\u{0}/", "a control character"),
      ("ws://bücher.de/", "Punycode"),
      ("ws://a/ü", "percent signs"), ("ws://a\\b/", "has '\\' in it"), ("ws://a/<b>", "has '<' in it"),
      ("ws://a%41/", "has '%' in its host"),
      ("ws://a..b/", "a name has"), ("ws://./", "a name has"), ("ws://256.1.1.1/", "no IPv4 address"),
      ("ws://1.2.3/", "no IPv4 address"),
      ("ws://01.2.3.4/", "no IPv4 address"), ("ws://a,b/", "has ',' in its host"),
    ])
  func bad(text: String, problem: String) {
    let error = #expect(throws: AddressError.self) { try WebSocketAddress(parsing: text) }
    #expect(error?.description.contains(problem) == true, "\(String(describing: error))")
  }

  @Test(
    "a redirect resolves as in RFC 3986, section 5.4",
    arguments: [
      ("g", "ws://a/b/c/g"), ("./g", "ws://a/b/c/g"), ("g/", "ws://a/b/c/g/"), ("/g", "ws://a/g"), ("//g", "ws://g/"),
      ("?y", "ws://a/b/c/d;p?y"), ("g?y", "ws://a/b/c/g?y"), ("#s", "ws://a/b/c/d;p?q"), ("g#s", "ws://a/b/c/g"),
      (";x", "ws://a/b/c/;x"),
      ("", "ws://a/b/c/d;p?q"), (".", "ws://a/b/c/"), ("./", "ws://a/b/c/"), ("..", "ws://a/b/"), ("../", "ws://a/b/"),
      ("../g", "ws://a/b/g"), ("../..", "ws://a/"), ("../../g", "ws://a/g"), ("../../../g", "ws://a/g"),
      ("/./g", "ws://a/g"),
      ("/../g", "ws://a/g"), ("g.", "ws://a/b/c/g."), ("..g", "ws://a/b/c/..g"), ("./g/.", "ws://a/b/c/g/"),
      ("g/../h", "ws://a/b/c/h"),
      ("g?y/../x", "ws://a/b/c/g?y/../x"), ("https://h/x", "wss://h/x"), ("http://h:81", "ws://h:81/"),
      ("wss://h", "wss://h/"),
      ("WSS://h/a#b", "wss://h/a"), ("//h:9/x?y", "ws://h:9/x?y"), (" /g ", "ws://a/g"),
    ])
  func redirects(location: String, target: String) throws {
    let base = try WebSocketAddress(parsing: "ws://a/b/c/d;p?q")
    #expect(try base.redirected(to: location).description == target)
  }

  @Test("the client's check of a redirect agrees with its resolution")
  func redirectsAgree() throws {
    let parts = [
      "ws:", "https:", "ftp:", "//", "/", "host", ":80", ":0", "@", "?q", "#f", "[::1]", "[", " ", "..", "é", "a:b",
    ]
    var (generator, usable) = (SplitMix64(seed: 3), 0)
    for base in ["ws://a/b", "wss://a/b"] {
      let address = try WebSocketAddress(parsing: base)
      for _ in 0..<3_000 {
        let location = (0..<Int.random(in: 1...5, using: &generator)).map { _ in
          parts.randomElement(using: &generator) ?? ""
        }.joined()
        guard let target = try? address.redirected(to: location) else { continue }
        usable += 1
        let counted = Redirect(location: location, from: base)
        #expect(counted == (target.isSecure ? .secure : .plain) || location.withoutHash.isEmpty, "\(location)")
      }
    }
    #expect(usable > 500)
  }
}

extension String {
  /// Without the fragment; an empty reference counts as unusable, since it leads in a circle.
  fileprivate var withoutHash: Substring { prefix { $0 != "#" && $0 != " " } }
}
