// SPDX-License-Identifier: Apache-2.0

/// The parameters of permessage-deflate that both ends agreed on (RFC 7692, section 7.1).
package struct Compression: Hashable, Sendable {
  /// The name of the extension.
  static let name = "permessage-deflate"

  /// The offer of a client, which leaves all parameters to the server, including the client's window.
  package static let offer = ExtensionField(name: name, parameters: [.init("client_max_window_bits", nil)])

  /// The binary logarithm of the largest back reference of the server's, and of the client's, compressor: 8 to 15.
  package var serverMaxWindowBits: Int
  package var clientMaxWindowBits: Int
  /// True if the server's, and the client's, compressor resets before each message.
  package var serverNoContextTakeover: Bool
  package var clientNoContextTakeover: Bool

  package init(
    serverMaxWindowBits: Int = 15, clientMaxWindowBits: Int = 15, serverNoContextTakeover: Bool = false,
    clientNoContextTakeover: Bool = false
  ) {
    self.serverMaxWindowBits = serverMaxWindowBits
    self.clientMaxWindowBits = clientMaxWindowBits
    self.serverNoContextTakeover = serverNoContextTakeover
    self.clientNoContextTakeover = clientNoContextTakeover
  }

  /// Accepts the first valid offer of a client, unchanged; nil if there is none, and messages are then not compressed.
  /// A client that does not mention its window uses any.
  package init?(accepting offers: [ExtensionField]) {
    let understood = offers.lazy.filter { $0.name == Self.name }.compactMap { Self($0.parameters, isOffer: true) }
    guard let first = understood.first else { return nil }
    self = first
  }

  /// Reads a server's answer to `offer`.
  ///
  /// - Throws: `HandshakeFailure` if the answer has an unknown or repeated parameter, or an invalid value.
  package init(answer: ExtensionField) throws(HandshakeFailure) {
    guard let agreed = Self(answer.parameters, isOffer: false) else {
      throw HandshakeFailure("the server answered \(Self.name) with bad parameters: '\(answer)'")
    }
    self = agreed
  }

  /// Reads the parameters; nil if one is unknown or repeated, or has an invalid value.
  private init?(_ parameters: [ExtensionField.Parameter], isOffer: Bool) {
    self.init()
    for (index, parameter) in parameters.enumerated() {
      guard !parameters[..<index].contains(where: { $0.name == parameter.name }) else { return nil }
      switch (parameter.name, parameter.value) {
      case ("server_no_context_takeover", nil): serverNoContextTakeover = true
      case ("client_no_context_takeover", nil): clientNoContextTakeover = true
      case ("client_max_window_bits", nil) where isOffer: break
      case ("client_max_window_bits", let value?):
        guard let bits = Self.bits(value) else { return nil }
        clientMaxWindowBits = bits
      case ("server_max_window_bits", let value?):
        guard let bits = Self.bits(value) else { return nil }
        serverMaxWindowBits = bits
      default: return nil
      }
    }
  }

  /// The number 8 to 15 of a text without a sign or leading zeros; nil for others.
  private static func bits(_ text: String) -> Int? {
    guard let bits = Int(text), 8...15 ~= bits, String(bits) == text else { return nil }
    return bits
  }

  /// The server's answer.
  package var field: ExtensionField {
    var parameters: [ExtensionField.Parameter] = []
    if serverNoContextTakeover { parameters.append(.init("server_no_context_takeover", nil)) }
    if clientNoContextTakeover { parameters.append(.init("client_no_context_takeover", nil)) }
    if serverMaxWindowBits < 15 { parameters.append(.init("server_max_window_bits", String(serverMaxWindowBits))) }
    if clientMaxWindowBits < 15 { parameters.append(.init("client_max_window_bits", String(clientMaxWindowBits))) }
    return ExtensionField(name: Self.name, parameters: parameters)
  }

  func windowBits(of role: Role) -> Int { role == .client ? clientMaxWindowBits : serverMaxWindowBits }

  func beginsAfresh(_ role: Role) -> Bool { role == .client ? clientNoContextTakeover : serverNoContextTakeover }
}

/// One extension of a field `Sec-WebSocket-Extensions` (RFC 6455, section 9.1).
package struct ExtensionField: Hashable, Sendable, CustomStringConvertible {
  package struct Parameter: Hashable, Sendable {
    package var name: String
    package var value: String?

    package init(_ name: String, _ value: String?) { (self.name, self.value) = (name, value) }
  }

  package var name: String
  package var parameters: [Parameter]

  package init(name: String, parameters: [Parameter] = []) { (self.name, self.parameters) = (name, parameters) }

  package var description: String {
    parameters.reduce(into: name) { text, parameter in
      text += "; " + parameter.name
      if let value = parameter.value { text += "=" + value }
    }
  }

  /// Reads the values of all fields of the name; nil if one is no list of extensions.
  package static func parse(_ values: [String]) -> [ExtensionField]? {
    var extensions: [ExtensionField] = []
    for value in values {
      var reader = FieldReader(value)
      repeat {
        guard let name = reader.token() else { return nil }
        var item = ExtensionField(name: name)
        while reader.take(";") {
          guard let name = reader.token() else { return nil }
          guard reader.take("=") else {
            item.parameters.append(.init(name, nil))
            continue
          }
          // A quoted value must be a token, too.
          guard let value = reader.tokenOrQuotedToken() else { return nil }
          item.parameters.append(.init(name, value))
        }
        extensions.append(item)
      } while reader.take(",")
      guard reader.isAtEnd else { return nil }
    }
    return extensions
  }
}

/// Reads the tokens of a header field's value (RFC 9110, section 5.6).
struct FieldReader {
  private var rest: Substring.UTF8View

  init(_ text: String) { rest = Substring(text).utf8 }

  var isAtEnd: Bool {
    mutating get {
      skipBlanks()
      return rest.isEmpty
    }
  }

  mutating func take(_ separator: Unicode.Scalar) -> Bool {
    skipBlanks()
    guard let first = rest.first, first == UInt8(ascii: separator) else { return false }
    rest = rest.dropFirst()
    return true
  }

  mutating func token() -> String? {
    skipBlanks()
    return word()
  }

  mutating func tokenOrQuotedToken() -> String? {
    guard take("\"") else { return token() }
    guard let token = word(), rest.first == UInt8(ascii: "\"") else { return nil }
    rest = rest.dropFirst()
    return token
  }

  private mutating func word() -> String? {
    let word = rest.prefix(while: HTTPFields.isTokenByte)
    rest = rest[word.endIndex...]
    return word.isEmpty ? nil : String(Substring(word))
  }

  private mutating func skipBlanks() { rest = rest.drop { $0 == 0x20 || $0 == 0x09 } }
}
