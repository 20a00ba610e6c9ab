/// A wish of a person for the next piece of the built-in composer; each press counts once.
public enum Steer: String, Sendable, CaseIterable {
    case calmer, livelier, brighter, darker

    /// Number of presses that the composer counts for one piece.
    package static let mostPresses = 10

    /// Presses from their stored form: names, in the order in which they came.
    package static func presses(of text: String) -> [Steer] { text.split(separator: " ").compactMap { Steer(rawValue: String($0)) } }
}

extension [Steer] {
    /// The stored form that `presses(of:)` reads.
    package var text: String { map(\.rawValue).joined(separator: " ") }
}
