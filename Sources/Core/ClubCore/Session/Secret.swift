// SPDX-License-Identifier: Apache-2.0

/// A token that no log, error or dump shows: whatever prints it prints `<secret>`. It has no coding, so that no file
/// gets it by accident; whoever keeps it says `revealed()`, which can be searched for.
///
/// It cannot wipe itself from memory: Swift's strings are copied at will.
public struct Secret: Hashable, Sendable {
  private let value: String

  /// A secret; nil for an empty text.
  ///
  /// - Parameter value: The token.
  public init?(_ value: String) {
    guard !value.isEmpty else { return nil }
    self.value = value
  }

  /// The token itself, for a request's head or a keychain.
  public func revealed() -> String { value }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// `<secret>`.
  public var description: String { "<secret>" }
  /// `<secret>`.
  public var debugDescription: String { description }
  /// Nothing inside.
  public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>(), displayStyle: .struct) }
}

/// What a sign-in or a refresh gives.
public struct Credentials: Hashable, Sendable {
  /// What requests carry.
  public let accessToken: Secret
  /// What the next access token is asked for with; the service may give a new one each time.
  public let refreshToken: Secret
  /// When the access token ends.
  public let expiry: Moment

  /// Credentials.
  ///
  /// - Parameters:
  ///   - accessToken: What requests carry.
  ///   - refreshToken: What the next access token is asked for with.
  ///   - expiry: When the access token ends.
  public init(accessToken: Secret, refreshToken: Secret, expiry: Moment) {
    (self.accessToken, self.refreshToken, self.expiry) = (accessToken, refreshToken, expiry)
  }
}
