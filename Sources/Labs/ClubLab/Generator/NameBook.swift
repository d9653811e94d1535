// SPDX-License-Identifier: GPL-3.0-or-later
package import ClubCore

/// Names by number: every number has a name of its own, however large it is.
///
/// A number is an initial (26 of them) and a first name: one of a list, or where those are used up, two or more of the
/// list with hyphens between them.
package enum NameBook {
  /// How many initials there are.
  package static let initials = 26
  /// How many first names the list has; longer ones are put together.
  package static var listed: Int { firstNames.count }

  /// The name of a number.
  ///
  /// - Parameter number: 0 or more.
  /// - Returns: For example `Sarah M.`; names of different numbers are different.
  package static func name(_ number: Int) -> AthleteName {
    AthleteName(first: firstName(number / initials), last: "\(letters[number % initials]).")
  }

  /// The first name of a number by bijective numeration over the list.
  static func firstName(_ number: Int) -> String {
    var (rest, parts) = (number, [firstNames[number % firstNames.count]])
    while rest >= firstNames.count {
      rest = rest / firstNames.count - 1
      parts.append(firstNames[rest % firstNames.count])
    }
    return parts.reversed().joined(separator: "-")
  }

  private static let letters = (0..<initials).map { Character(Unicode.Scalar(UInt8(65 + $0))) }

  private static let firstNames =
    """
    Tom Anna Sarah Jan Maria Paul Lena Tim Laura Max Julia Ben Lisa Nico Eva Lukas Nina Jonas Lea Felix Mia Leon Sofia \
    Finn Emma Noah Clara Elias Hanna Luca Marie David Ida Simon Lina Erik Ella Jakob Alina Oskar Paula Anton Greta \
    Karl Frida Emil Marta Theo Ines Hugo Carla Moritz Nora Philip Vera Adam Ruth Marc Iris Ralf Heike Uwe Silke Jens \
    Birgit Bernd Petra Klaus Sabine Dirk Anja Frank Tanja Sven Katja Lars Britta Olaf Imke Kai Wiebke Nils Maren Per \
    Astrid Ole Ingrid Arne Solveig Leif Sigrid Jack Emily Harry Grace Oliver Amelia George Freya Arthur Poppy Alfie \
    Ivy Henry Alice Oscar Florence Archie Daisy Freddie Rosie Theodore Matilda Jean Camille Louis Chloé Hugues Manon \
    Arnaud Inès Gaël Zoé Rémi Anaïs Loïc Maëlle Yann Élise Luc Margot Enzo Giulia Matteo Chiara Marco Elena Paolo \
    Francesca Sandro Bianca Diego Lucía Javier Carmen Pablo Alba Álvaro Irene Iker Nerea João Inácia Tiago Beatriz \
    Rui Leonor Piotr Zofia Paweł Agata Marek Ewa Tomasz Kinga Jakub Ola Milan Jana Petr Lenka Karel Hana Ondřej Eliška \
    Yuki Haruto Sakura Ren Aoi Wei Mei Jin Lan Minh Linh An Ravi Priya Arjun Anika Dev Maya Omar Layla Yusuf Amira \
    Sami Noor Tariq Zara
    """.split(separator: " ").map(String.init)
}
