// SPDX-License-Identifier: GPL-3.0-or-later
internal import CCurl
internal import Foundation
package import LeagueConnections
internal import Synchronization

/// Sends requests by libcurl, each on its own thread.
///
/// Foundation's URLSession, which uses libcurl too, ends the process (6.3) when a server closes the connection within
/// the head of its answer; async-http-client takes minutes to build. This transport keeps no cookies, follows no
/// redirects, which could send credentials elsewhere, and verifies certificates. It has no time limit: callers cancel
/// it when they have waited long enough.
package struct CurlTransport: LeagueTransport {
  /// The limit of an answer in bytes; the largest league seen has 3 MB.
  static let defaultMostBytes = 32 << 20

  private let maxBytes: Int

  /// A transport that accepts answers of up to `maxBytes` bytes, unpacked.
  package init(maxBytes: Int = defaultMostBytes) { self.maxBytes = maxBytes }

  package func send(_ request: LeagueRequest) async throws -> LeagueResponse {
    guard ["http://", "https://"].contains(where: request.url.lowercased().hasPrefix) else {
      throw TransportError.unusable("no address of HTTP: '\(request.url)'")
    }
    let transfer = try Transfer(request, maxBytes: maxBytes)
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Result { try transfer.run() }) }
      }
    } onCancel: {
      transfer.cancel()
    }
  }
}

/// One request and its answer.
// Unchecked, since `run` and the callbacks of libcurl within it use one thread; others only wake it by `cancel`.
@safe private final class Transfer: @unchecked Sendable {
  private static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

  private let multi: UnsafeMutableRawPointer
  private let easy: UnsafeMutableRawPointer
  private var fields: UnsafeMutablePointer<curl_slist>?
  private let isCancelled = Mutex(false)

  private let maxBytes: Int
  private var status = 0
  private var headers: [String: String] = [:]
  private var hasHead = false
  private var body = Data()
  private var isTooLarge = false

  init(_ request: LeagueRequest, maxBytes: Int) throws(TransportError) {
    guard Self.isReady, let multi = unsafe curl_multi_init() else { throw .unusable("libcurl does not start") }
    guard let easy = unsafe curl_easy_init() else {
      unsafe curl_multi_cleanup(multi)
      throw .unusable("libcurl does not start")
    }
    unsafe (self.multi, self.easy) = (multi, easy)
    self.maxBytes = maxBytes
    guard prepare(request) else { throw .unusable("libcurl does not take the request") }
  }

  deinit {
    unsafe curl_multi_remove_handle(multi, easy)
    unsafe curl_easy_cleanup(easy)
    unsafe curl_multi_cleanup(multi)
    unsafe curl_slist_free_all(fields)
  }

  func cancel() {
    isCancelled.withLock { $0 = true }
    unsafe curl_multi_wakeup(multi)
  }

  func run() throws -> LeagueResponse {
    guard unsafe curl_multi_add_handle(multi, easy) == CURLM_OK else {
      throw TransportError.unusable("libcurl is busy")
    }
    var running: Int32 = 1
    while true {
      if isCancelled.withLock(\.self) { throw CancellationError() }
      guard unsafe curl_multi_perform(multi, &running) == CURLM_OK else {
        throw TransportError.unusable("libcurl fails")
      }
      if running == 0 { return try answer(unsafe ccurl_result(multi)) }
      unsafe curl_multi_poll(multi, nil, 0, 60_000, nil)
    }
  }

  private func prepare(_ request: LeagueRequest) -> Bool {
    for (name, value) in request.headers.sorted(by: { $0.key < $1.key }) {
      guard let longer = unsafe curl_slist_append(fields, "\(name): \(value)") else { return false }
      unsafe fields = longer
    }
    let owner = unsafe Unmanaged.passUnretained(self).toOpaque()
    unsafe ccurl_set_receivers(
      easy,
      { unsafe Transfer.of($3)?.receive(head: Transfer.bytes($0, $1, $2)) ?? 0 },
      { unsafe Transfer.of($3)?.receive(body: Transfer.bytes($0, $1, $2)) ?? 0 }, owner)
    let codes = [
      unsafe ccurl_set_text(easy, CURLOPT_URL, request.url),
      unsafe ccurl_set_text(easy, CURLOPT_ACCEPT_ENCODING, ""),
      unsafe ccurl_set_text(easy, CURLOPT_USERAGENT, "Assay"),
      unsafe ccurl_set_list(easy, CURLOPT_HTTPHEADER, fields),
      unsafe ccurl_set_number(easy, CURLOPT_NOSIGNAL, 1),
    ]
    return codes.allSatisfy { $0 == CURLE_OK }
  }

  private static func of(_ owner: UnsafeMutableRawPointer?) -> Transfer? {
    unsafe owner.map { unsafe Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
  }

  private static func bytes(_ start: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int) -> Data {
    unsafe start.map { unsafe Data(bytes: $0, count: size * count) } ?? Data()
  }

  /// Receives a line of a head; heads of interim answers come before the final one.
  private func receive(head line: Data) -> Int {
    let text = String(decoding: line, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    if text.hasPrefix("HTTP/") {
      (headers, hasHead) = ([:], false)
      status = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    } else if let colon = text.firstIndex(of: ":") {
      headers[text[..<colon].lowercased()] = text[colon...].dropFirst().trimmingCharacters(in: .whitespaces)
    }
    if text.isEmpty { hasHead = true }
    return line.count
  }

  /// Receives a part of the body; if the body becomes too long, returns 0, which ends the transfer.
  private func receive(body part: Data) -> Int {
    isTooLarge = part.count > maxBytes - body.count
    if isTooLarge { return 0 }
    body.append(part)
    return part.count
  }

  private func answer(_ result: Int32) throws(TransportError) -> LeagueResponse {
    if isTooLarge { throw .unusable("found more than \(maxBytes) bytes in the answer") }
    let code = CURLcode(UInt32(bitPattern: result))
    guard code == CURLE_OK else {
      let cause = unsafe String(cString: curl_easy_strerror(code))
      throw Self.lasting.contains(code) ? .unusable(cause) : .connection(cause)
    }
    guard hasHead else { throw .connection("the connection ended within the head of the answer") }
    return LeagueResponse(status: status, headers: headers, body: body)
  }

  /// Errors that another attempt would repeat: bad addresses, certificates, and answers that are no HTTP.
  private static let lasting = [
    CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_PEER_FAILED_VERIFICATION,
    CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER, CURLE_SSL_CACERT_BADFILE, CURLE_BAD_CONTENT_ENCODING,
  ]
}
