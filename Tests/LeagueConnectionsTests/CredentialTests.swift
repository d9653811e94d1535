// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import LeagueConnections
import LeagueCore
import TestSupport
import Testing

@Suite("ESPN's credentials are checked before they are used, and never shown")
struct ESPNCredentialsTests {
  @Test("a cookie is a UUID in braces and a text of a hundred characters")
  func good() throws {
    let credentials = try Sample.credentials()
    #expect(credentials.cookie == "SWID=\(Sample.swid); espn_s2=\(Sample.espnS2)")
    #expect(throws: Never.self) {
      _ = try ESPNCredentials(swid: Sample.swid.lowercased(), espnS2: String(repeating: "a", count: 100))
    }
  }

  @Test(
    "what a browser would not show is refused by name, without the value",
    arguments: [
      ("FEDCBA98-7654-3210-FEDC-BA9876543210", Sample.espnS2, "SWID"),
      ("{FEDCBA98-7654-3210-FEDC-BA987654321G}", Sample.espnS2, "SWID"),
      ("{FEDCBA98-7654-3210-FEDC-BA9876543210}\n", Sample.espnS2, "SWID"),
      ("{}", Sample.espnS2, "SWID"), ("", Sample.espnS2, "SWID"),
      (Sample.swid, "", "espn_s2"), (Sample.swid, String(repeating: "a", count: 99), "espn_s2"),
      (Sample.swid, String(repeating: "a", count: 5000), "espn_s2"),
      (Sample.swid, Sample.espnS2 + "; admin=1", "espn_s2"), (Sample.swid, Sample.espnS2 + "\r\nX-Other: 1", "espn_s2"),
      (Sample.swid, Sample.espnS2 + "é", "espn_s2"), (Sample.swid, "\"" + Sample.espnS2 + "\"", "espn_s2"),
    ])
  func bad(swid: String, espnS2: String, name: String) throws {
    let error = try #require(throws: LeagueConnectionError.self) { _ = try ESPNCredentials(swid: swid, espnS2: espnS2) }
    #expect(error.description.hasPrefix("\(name): found ") && error.description.contains("expected"))
    for secret in [swid, espnS2] where secret.count > 20 { #expect(!error.description.contains(secret.prefix(20))) }
  }

  @Test("print, dump and description do not show them")
  func redacted() throws {
    let credentials: ESPNCredentials? = try Sample.credentials()
    var dumped = ""
    dump([credentials], to: &dumped)
    for text in [dumped, "\(credentials as Any)", String(reflecting: credentials), String(describing: [credentials])] {
      #expect(!text.contains("7654") && !text.contains("s%2F"))
    }
  }
}

@Suite("A vault opens what it sealed, and nothing else")
struct CredentialVaultTests {
  private struct Case: Decodable, Sendable, CustomStringConvertible {
    let tcId: Int
    let comment, key, iv, aad, msg, ct, tag, result: String
    var description: String { "\(tcId) \(comment) (\(result))" }
  }

  @Test("Wycheproof's valid cases give their bytes in both directions, and a changed tag is refused")
  func wycheproof() throws {
    let file = try #require(Bundle.module.url(forResource: "Fixtures/aes_256_gcm", withExtension: "json"))
    let cases = try JSONDecoder().decode([Case].self, from: Data(contentsOf: file))
    #expect(cases.count == 66 && cases.count { $0.result == "invalid" } == 27)
    for one in cases {
      let vault = try #require(CredentialVault(key: try bytes(one.key)))
      let (nonce, context, plain) = (try bytes(one.iv), try bytes(one.aad), try bytes(one.msg))
      let opened = vault.open(try bytes(one.ct), tag: try bytes(one.tag), nonce: nonce, context: context)
      #expect(opened == (one.result == "valid" ? plain : nil), "\(one)")
      let (cipher, tag) = try vault.seal(plain, nonce: nonce, context: context)
      #expect(try cipher == bytes(one.ct), "\(one)")
      #expect(try (tag == bytes(one.tag)) == (one.result == "valid"), "\(one)")
    }
  }

  private func bytes(_ text: String) throws -> [UInt8] {
    try stride(from: 0, to: text.utf8.count, by: 2).map { index in
      try #require(UInt8(text.dropFirst(index).prefix(2), radix: 16))
    }
  }

  @Test("a changed bit, a missing byte, another key and another context are refused", arguments: [0, 1, 15, 16, 200])
  func changed(length: Int) throws {
    let vault = try #require(CredentialVault(key: Sample.key))
    let (plain, context) = ([UInt8](repeating: 7, count: length), Array("here".utf8))
    let sealed = try vault.seal(plain, context: context)
    #expect(sealed.count == length + 29)
    #expect(vault.open(sealed, context: context) == plain)
    for index in sealed.indices {
      for bit in 0..<8 {
        var changed = sealed
        changed[index] ^= 1 << bit
        #expect(vault.open(changed, context: context) == nil)
      }
      #expect(vault.open(Array(sealed.prefix(index)), context: context) == nil)
    }
    #expect(vault.open(sealed + [0], context: context) == nil)
    #expect(vault.open(sealed, context: Array("there".utf8)) == nil)
    #expect(CredentialVault(key: Sample.key.reversed())?.open(sealed, context: context) == nil)
  }

  @Test("a truncated tag is refused", arguments: 0...15)
  func shortTags(length: Int) throws {
    let vault = try #require(CredentialVault(key: Sample.key))
    let nonce = [UInt8](repeating: 1, count: 12)
    let (cipher, tag) = try vault.seal([1, 2, 3], nonce: nonce, context: [])
    #expect(vault.open(cipher, tag: tag, nonce: nonce, context: []) == [1, 2, 3])
    #expect(vault.open(cipher, tag: Array(tag.prefix(length)), nonce: nonce, context: []) == nil)
  }

  @Test("equal values are sealed differently, and a key has 32 bytes")
  func nonces() throws {
    let vault = try #require(CredentialVault(key: Sample.key))
    #expect(try Set((0..<1000).map { _ in try vault.seal([1], context: []).dropFirst().prefix(12) }).count == 1000)
    for length in [0, 16, 31, 33] { #expect(CredentialVault(key: [UInt8](repeating: 0, count: length)) == nil) }
  }
}

@Suite("The key is a file that only its owner can read")
struct KeyFileTests {
  private func error(_ body: () throws -> CredentialVault) throws -> String {
    try #require(throws: LeagueConnectionError.self) { _ = try body() }.description
  }

  @Test("it is made once, with 32 bytes and mode 600 for every umask, and leaves no other file")
  func made() throws {
    let folder = try TemporaryFolder()
    let file = KeyFile(folder.path + "/key")
    let sealed = try file.vault(mayCreate: true).seal([1], context: [])
    let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
    #expect(attributes[.posixPermissions] as? Int == 0o600 && attributes[.size] as? Int == 32)
    #expect(try file.vault(mayCreate: false).open(sealed, context: []) == [1])
    #expect(try file.vault(mayCreate: true).open(sealed, context: []) == [1])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["key"])
  }

  @Test("a missing key is not replaced while values are sealed with it")
  func gone() throws {
    let folder = try TemporaryFolder()
    #expect(try error { try KeyFile(folder.path + "/key").vault(mayCreate: false) }.contains("found no file"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
  }

  @Test("a file with other permissions is refused", arguments: [0o644, 0o640, 0o660, 0o604, 0o700, 0o400])
  func permissions(mode: Int) throws {
    let folder = try TemporaryFolder()
    let file = KeyFile(folder.path + "/key")
    _ = try file.vault(mayCreate: true)
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
    // Root reads what nobody may.
    let text = try error { try file.vault(mayCreate: true) }
    #expect(text.contains("found mode \(String(mode, radix: 8))") && text.contains("chmod 600"))
  }

  @Test("a file of another length is refused and kept", arguments: [0, 31, 33, 5000])
  func lengths(length: Int) throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/key"
    #expect(
      FileManager.default.createFile(
        atPath: path, contents: Data(count: length), attributes: [.posixPermissions: 0o600]))
    #expect(try error { try KeyFile(path).vault(mayCreate: true) }.contains("expected 32 bytes"))
    #expect(FileManager.default.contents(atPath: path)?.count == length)
  }

  @Test("a symbolic link, a folder, and a place that cannot be written are refused")
  func links() throws {
    let folder = try TemporaryFolder()
    let (key, link) = (KeyFile(folder.path + "/key"), folder.path + "/link")
    _ = try key.vault(mayCreate: true)
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: key.path)
    #expect(try error { try KeyFile(link).vault(mayCreate: true) }.contains("found a symbolic link"))
    #expect(try error { try KeyFile(folder.path).vault(mayCreate: true) }.contains("found no regular file"))
    #expect(try error { try KeyFile(folder.path + "/no/key").vault(mayCreate: true) }.contains("No such file"))
  }
}
