// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation

/// The reason that the system gives for a refusal, in a person's words.
package enum SystemCause {
  /// The message of the POSIX error behind any thrown one, in lower case.
  package static func message(of error: any Error) -> String {
    if let posix = code(of: error) { return message(of: posix) }
    return (error as NSError).localizedDescription
  }

  /// The number of the POSIX error behind any thrown one; nil where there is none.
  package static func code(of error: any Error) -> Int32? { posixError(behind: error as NSError) }

  /// The message of an error number.
  package static func message(of code: Int32) -> String {
    let text = unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
    return text.prefix(1).lowercased() + text.dropFirst()
  }

  private static func posixError(behind error: NSError) -> Int32? {
    if error.domain == NSPOSIXErrorDomain { return Int32(error.code) }
    // What lies behind need not be an NSError itself: it often is a POSIXError.
    return (error.userInfo[NSUnderlyingErrorKey] as? any Error).flatMap { posixError(behind: $0 as NSError) }
  }
}
