// SPDX-License-Identifier: GPL-3.0-or-later
import Randomness
import Testing

@Suite("Words of GSL for code that takes Swift's generators")
struct RandomWordsTests {
  private func words(_ generator: RandomWords, _ count: Int) -> [UInt64] {
    var generator = generator
    return (0..<count).map { _ in generator.next() }
  }

  @Test("a word is two words of taus2, the first one high")
  func source() throws {
    var stream = try RandomStream(named: "taus2", seed: 7)
    let expected = (0..<10).map { _ in
      let high = UInt64(stream.word())
      return high << 32 | UInt64(stream.word())
    }
    #expect(try words(RandomWords(seed: 7), 10) == expected)
  }

  @Test("a copy gives the words that the original would give, and leaves it where it was")
  func copies() throws {
    var original = try RandomWords(seed: 7)
    _ = original.next()
    let rest = words(original, 10)
    #expect(words(original, 10) == rest)
    var copy = original
    #expect(copy.next() == rest[0])
    #expect(copy.next() == rest[1])
    #expect(original.next() == rest[0])
    #expect(copy.next() == rest[2])
  }
}
