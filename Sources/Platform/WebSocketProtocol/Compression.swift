// SPDX-License-Identifier: Apache-2.0

/// permessage-deflate as both ends agreed on it (RFC 7692, section 7.1).
package struct Compression: Hashable, Sendable {
  /// The name of the extension.
  package static let name = "permessage-deflate"
  /// Windows of 256 bytes to 32 KiB.
  package static let windowBits = 8...15

  /// The binary logarithm of the farthest distance that the server's, and the client's, compressor refers back.
  package var serverMaxWindowBits: Int
  package var clientMaxWindowBits: Int
  /// Whether the server's, and the client's, compressor begins each message afresh.
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

  func windowBits(of role: Role) -> Int { role == .client ? clientMaxWindowBits : serverMaxWindowBits }

  func beginsAfresh(_ role: Role) -> Bool { role == .client ? clientNoContextTakeover : serverNoContextTakeover }
}

/// What a client offers, and what a server accepts at the most: the parameters of permessage-deflate.
package struct CompressionOffer: Hashable, Sendable {
  /// The largest window the server may use; nil leaves it to the server.
  package var serverMaxWindowBits: Int?
  /// The largest window that the client will use; nil where the client does not let the server choose it.
  package var clientMaxWindowBits: Int?
  package var serverNoContextTakeover: Bool
  package var clientNoContextTakeover: Bool

  /// By default all is left to the server, and both ends keep their contexts.
  package init(
    serverMaxWindowBits: Int? = nil, clientMaxWindowBits: Int? = 15, serverNoContextTakeover: Bool = false,
    clientNoContextTakeover: Bool = false
  ) {
    self.serverMaxWindowBits = serverMaxWindowBits
    self.clientMaxWindowBits = clientMaxWindowBits
    self.serverNoContextTakeover = serverNoContextTakeover
    self.clientNoContextTakeover = clientNoContextTakeover
  }

  /// The server's answer to the offers of a client, in their order: the first one that it understands; nil where there
  /// is none, and messages go uncompressed.
  ///
  /// The server, whose wishes these are, uses no larger windows than either wants, and keeps no context that either
  /// does not want kept.
  package func accept(_ offers: [ExtensionField]) -> Compression? {
    guard let offer = offers.lazy.compactMap(Self.init(offer:)).first else { return nil }
    let server = min(offer.serverMaxWindowBits ?? 15, serverMaxWindowBits ?? 15)
    // A client that does not mention its window uses any, and may not be asked for another.
    let client = offer.clientMaxWindowBits.map { min($0, clientMaxWindowBits ?? 15) } ?? 15
    return Compression(
      serverMaxWindowBits: server, clientMaxWindowBits: client,
      serverNoContextTakeover: offer.serverNoContextTakeover || serverNoContextTakeover,
      clientNoContextTakeover: offer.clientNoContextTakeover || clientNoContextTakeover)
  }

  /// What a server agreed to, of this offer.
  ///
  /// - Throws: `HandshakeFailure` where the answer has an unknown or repeated parameter, a value that is none, or is no
  ///   answer to this offer.
  package func agree(on answer: ExtensionField) throws(HandshakeFailure) -> Compression {
    guard let given = Self(parameters: answer.parameters, isOffer: false) else {
      throw HandshakeFailure("the server answered \(Compression.name) with bad parameters: '\(answer)'")
    }
    let isWithin =
      (given.serverMaxWindowBits ?? 15) <= (serverMaxWindowBits ?? 15)
      && (given.clientMaxWindowBits ?? 0) <= (clientMaxWindowBits ?? 0)
      && (given.serverNoContextTakeover || !serverNoContextTakeover)
    guard isWithin else { throw HandshakeFailure("the server answered '\(answer)' to the offer '\(field)'") }
    return Compression(
      serverMaxWindowBits: given.serverMaxWindowBits ?? 15,
      clientMaxWindowBits: given.clientMaxWindowBits ?? clientMaxWindowBits ?? 15,
      serverNoContextTakeover: given.serverNoContextTakeover,
      clientNoContextTakeover: given.clientNoContextTakeover || clientNoContextTakeover)
  }

  /// The offer as a client writes it.
  package var field: ExtensionField {
    var parameters = Compression.flags(serverNoContextTakeover, clientNoContextTakeover)
    if let bits = serverMaxWindowBits { parameters.append(.init("server_max_window_bits", String(bits))) }
    if let bits = clientMaxWindowBits {
      parameters.append(.init("client_max_window_bits", bits == 15 ? nil : String(bits)))
    }
    return ExtensionField(name: Compression.name, parameters: parameters)
  }

  private init?(offer: ExtensionField) {
    guard offer.name == Compression.name else { return nil }
    self.init(parameters: offer.parameters, isOffer: true)
  }

  /// Reads the parameters; nil where one is unknown or repeated, or has a value that it cannot have.
  private init?(parameters: [ExtensionField.Parameter], isOffer: Bool) {
    self.init(clientMaxWindowBits: nil)
    for (index, parameter) in parameters.enumerated() {
      guard !parameters[..<index].contains(where: { $0.name == parameter.name }) else { return nil }
      switch (parameter.name, parameter.value) {
      case ("server_no_context_takeover", nil): serverNoContextTakeover = true
      case ("client_no_context_takeover", nil): clientNoContextTakeover = true
      case ("client_max_window_bits", nil) where isOffer: clientMaxWindowBits = 15
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

  /// 8 to 15, without a sign or leading zeros.
  private static func bits(_ text: String) -> Int? {
    guard let bits = Int(text), Compression.windowBits.contains(bits), String(bits) == text else { return nil }
    return bits
  }
}

extension Compression {
  /// The server's answer.
  package var field: ExtensionField {
    var parameters = Self.flags(serverNoContextTakeover, clientNoContextTakeover)
    if serverMaxWindowBits < 15 { parameters.append(.init("server_max_window_bits", String(serverMaxWindowBits))) }
    if clientMaxWindowBits < 15 { parameters.append(.init("client_max_window_bits", String(clientMaxWindowBits))) }
    return ExtensionField(name: Self.name, parameters: parameters)
  }

  static func flags(_ server: Bool, _ client: Bool) -> [ExtensionField.Parameter] {
    (server ? [.init("server_no_context_takeover", nil)] : [])
      + (client ? [.init("client_no_context_takeover", nil)] : [])
  }
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

  /// Reads the values of all fields of the name; nil where one is no list of extensions.
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
          // A quoted value has to be a token too.
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
    let token = rest.prefix(while: HTTPFields.isTokenByte)
    rest = rest[token.endIndex...]
    return token.isEmpty ? nil : String(Substring(token))
  }

  mutating func tokenOrQuotedToken() -> String? {
    guard take("\"") else { return token() }
    let token = rest.prefix(while: HTTPFields.isTokenByte)
    rest = rest[token.endIndex...]
    guard !token.isEmpty, rest.first == UInt8(ascii: "\"") else { return nil }
    rest = rest.dropFirst()
    return String(Substring(token))
  }

  private mutating func skipBlanks() { rest = rest.drop { $0 == 0x20 || $0 == 0x09 } }
}
