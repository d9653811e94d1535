// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation

/// What a worker is asked.
enum WorkerRequest: Codable, Sendable {
  /// To test the property.
  case check(CheckSettings)
  /// To run a case again that was found before.
  case replay(Tape)
  /// To judge a case.
  case judge(Tape)
  /// To say what the arguments of a case are.
  case describe(Tape)
  /// To run again, make simpler and explain a case that ends the process; the worker has another one judge it.
  case examine(Tape, Failure, CheckSettings, casesUntilFound: Int, caseLimit: Duration)
}

/// What it answers.
enum WorkerAnswer: Codable, Sendable {
  case report(CheckReport)
  case replayed(ReplayOutcome)
  case verdict(Verdict)
  case described([String])
  case examined(CheckReport.Outcome)
  case refused(CheckError)
  case unknownProperty
  case failed(String)
}

/// A request with the property it speaks of.
struct AddressedRequest: Codable, Sendable {
  let property: String
  /// The broken variant of the code on trial; nil for the one that ships.
  let subject: String?
  let request: WorkerRequest
}

/// Messages on a pipe: four bytes of length, and as many of JSON.
enum WorkerPipe {
  /// The longest message: more than any tape takes.
  private static let mostBytes = 1 << 28

  /// Writes a message.
  ///
  /// - Returns: Whether the other side was there to take it.
  static func write(_ message: some Encodable, to descriptor: Int32) throws -> Bool {
    let encoder = JSONEncoder()
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    let body = try encoder.encode(message)
    let bytes = unsafe withUnsafeBytes(of: UInt32(body.count).littleEndian) { unsafe Array($0) } + body
    var sent = 0
    while sent < bytes.count {
      let count = unsafe bytes[sent...].withUnsafeBytes {
        unsafe Foundation.write(descriptor, $0.baseAddress, $0.count)
      }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }

  /// Reads a message; nil where the other side is gone.
  static func read<Message: Decodable>(_ type: Message.Type, from descriptor: Int32) throws -> Message? {
    guard let head = bytes(4, from: descriptor) else { return nil }
    let length = head.reversed().reduce(0) { $0 << 8 | Int($1) }
    guard length <= mostBytes else { throw WorkerError.misunderstood("a message of \(length) bytes") }
    guard let body = bytes(length, from: descriptor) else { return nil }
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return try decoder.decode(Message.self, from: Data(body))
  }

  private static func bytes(_ count: Int, from descriptor: Int32) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    var received = 0
    while received < count {
      let more = unsafe bytes[received...].withUnsafeMutableBytes {
        unsafe Foundation.read(descriptor, $0.baseAddress, $0.count)
      }
      if more < 0 && errno == EINTR { continue }
      guard more > 0 else { return nil }
      received += more
    }
    return bytes
  }
}
