// SPDX-License-Identifier: GPL-3.0-or-later
import PropertyTesting
import Testing

@testable import PropertyTestingHost

@Suite("What the environment asks of a check")
struct WishesTests {
  @Test("seed and cases go before those of the code")
  func precedence() throws {
    var settings = CheckSettings()
    (settings.seed, settings.cases, settings.jobs) = (5, 7, 2)
    let plain = try Wishes([:]).applied(to: settings)
    #expect([plain.seed, UInt64(plain.cases), UInt64(plain.jobs)] == [5, 7, 1])
    let changed = try Wishes(["ASSAY_SEED": "9", "ASSAY_CASES": "11"]).applied(to: settings)
    #expect([changed.seed, UInt64(changed.cases)] == [9, 11])
  }

  @Test("a bad value is named, with what was expected", arguments: ["ASSAY_SEED", "ASSAY_CASES", "ASSAY_REPLAY"])
  func badVariable(name: String) throws {
    let error = #expect(throws: HostError.self) { try Wishes([name: "-1"]) }
    #expect(error?.description.hasPrefix("the environment variable \(name) is \"-1\"; expected ") == true)
  }

  @Test("failing cases are kept only where there is a folder for them, or where it is asked for")
  func examples() throws {
    #expect(try Wishes([:], isFolder: { _ in false }).examples == nil)
    #expect(try Wishes([:], isFolder: { $0 == ".assay/examples" }).examples == ExampleStore())
    #expect(try Wishes(["ASSAY_EXAMPLES": ""], isFolder: { _ in true }).examples == nil)
    #expect(try Wishes(["ASSAY_EXAMPLES": "kept"], isFolder: { _ in false }).examples == ExampleStore(folder: "kept"))
  }
}
