// SPDX-License-Identifier: GPL-3.0-or-later
internal import Reporting

extension Scenario {
  /// The scenario as a YAML document with every default written out; reading it gives the same scenario, wherever the
  /// file lies.
  package var resolved: String {
    var members = [JSONMember("name", .string(name)), JSONMember("kind", .string(kind.name))]
    members += plan.settings
    if !thresholds.isEmpty { members.append(JSONMember("thresholds", .array(thresholds.map(Self.listed)))) }
    return JSONValue.object(members).yaml
  }

  /// Eight hexadecimal digits that tell scenarios apart: the fingerprint of `resolved`. It stays the same when a
  /// comment, the order of keys or a default that was written out changes, and when nothing else does.
  package var digest: String { Fingerprint.short(resolved) }

  private static func listed(_ threshold: Threshold) -> JSONValue {
    threshold.source.isEmpty
      ? .string(threshold.text) : ["threshold": .string(threshold.text), "source": .string(threshold.source)]
  }
}
