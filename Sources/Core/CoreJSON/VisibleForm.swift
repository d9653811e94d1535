// SPDX-License-Identifier: Apache-2.0

extension String {
  /// The text by which names are compared that people copy between programs. Invisible characters (zero-width spaces,
  /// marks of direction, soft hyphens, variation selectors) are left out, and white space of any kind and length is one
  /// space, none at either end. Two texts that Unicode calls canonically equivalent have equal forms.
  ///
  /// Characters that change what is seen stay: joiners within an emoji, and the tags that tell flags apart.
  package var visibleForm: String {
    var form = String.UnicodeScalarView()
    let scalars = Array(unicodeScalars)
    for (index, scalar) in scalars.enumerated() {
      let properties = scalar.properties
      if properties.isWhitespace {
        if let last = form.last, last != " " { form.append(" ") }
      } else if properties.isVariationSelector {
        continue
      } else if properties.generalCategory == .format || properties.generalCategory == .control {
        // U+200D joins emoji; the tags from U+E0020 on spell the region of a flag.
        let joins = scalar.value == 0x200D && index > 0 && Self.isPicture(form.last)
        if joins && index + 1 < scalars.count && Self.isPicture(scalars[index + 1]) { form.append(scalar) }
        if (0xE0020...0xE007F).contains(scalar.value) { form.append(scalar) }
      } else {
        form.append(scalar)
      }
    }
    if form.last == " " { form.removeLast() }
    return String(form)
  }

  private static func isPicture(_ scalar: Unicode.Scalar?) -> Bool {
    // Digits and `#` are emoji to Unicode as well, and joined by none.
    scalar.map { $0.properties.isEmoji && $0.value > 0xFF } ?? false
  }
}
