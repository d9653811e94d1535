// SPDX-License-Identifier: GPL-3.0-or-later

extension Alphabet {
  /// The letters a to z and A to Z.
  public static let letters = Alphabet("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")

  /// The digits 0 to 9.
  public static let digits = Alphabet("0123456789")

  /// Letters and digits.
  public static let alphanumeric = Alphabet(of: letters, digits)

  /// Everything on an English keyboard: letters, digits, the space and punctuation, 95 characters.
  public static let ascii = Alphabet(of: letters, digits, Alphabet(" .,-_!?:;'\"()[]{}<>/\\|@#$%^&*+=~`"))

  /// Letters of languages written in the Latin alphabet, with those that change their length with their case.
  public static let latin = Alphabet(
    of: letters,
    Alphabet("äöüßàáâãåæçèéêëìíîïðñòóôõøùúûýþÿāăąćĉčďđēėęěğģħĩīįıĵķłľńņňŋőœŕřśşšţťũūůűųŵŷźżžÄÖÜÀÅÆÇÉÑØŒŠŽÞİẞǅŉſﬁ"))

  /// Greek, Cyrillic, Chinese, Japanese, Korean and Indian letters, and some outside the basic plane.
  public static let scripts = Alphabet("αβγδσςΣΩжщъЯёЁ中文字日本語かなカナ한글각กำनिक्षि𝒜𝔸𠀀𐐷")

  /// Hebrew and Arabic letters, digits and punctuation, which run from right to left.
  public static let rightToLeft = Alphabet("אבגדהוזחטשתםףابتثجحخدسشصعغفقكلمنهويةىءﻻ٠١٢٣۴۵؟،")
}
