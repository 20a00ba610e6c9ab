/// What a person may wish of the next piece of the built-in composer; each press counts once.
public enum Steer: String, Sendable, CaseIterable {
    case calmer, livelier, brighter, darker

    /// The composer counts so many presses for one piece.
    package static let mostPresses = 10

    /// As a store keeps presses: their names, in the order in which they came.
    package static func presses(of text: String) -> [Steer] { text.split(separator: " ").compactMap { Steer(rawValue: String($0)) } }
}

extension [Steer] {
    package var text: String { map(\.rawValue).joined(separator: " ") }
}
