// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation

/// Why stored examples cannot be read or written, with what a person needs to mend it.
public enum ExampleStoreError: Error, Sendable, Hashable {
  /// A folder or file does not let itself be read.
  case unreadable(path: String, cause: String)
  /// A folder or file does not let itself be written.
  case unwritable(path: String, cause: String)
}

extension ExampleStoreError: CustomStringConvertible {
  /// One sentence: where, what is wrong, how to mend it.
  public var description: String {
    switch self {
    case .unreadable(let path, let cause):
      "stored examples: cannot read '\(path)': \(cause); check its permissions, or choose another folder."
    case .unwritable(let path, let cause):
      "stored examples: cannot write '\(path)': \(cause); make it writable, choose another folder, or store nothing."
    }
  }

  /// The system's reason behind a thrown error, in its own words.
  static func cause(of error: any Error) -> String {
    let error = error as NSError
    if let underlying = error.userInfo[NSUnderlyingErrorKey] as? NSError { return cause(of: underlying) }
    guard error.domain == NSPOSIXErrorDomain, let text = unsafe strerror(Int32(error.code)) else {
      return error.localizedDescription
    }
    let message = unsafe String(cString: text)
    return message.prefix(1).lowercased() + message.dropFirst()
  }
}
