/// The format of a picture that a program asks for.
public enum ArtFormat: String, Sendable, CaseIterable {
    case jpeg, png

    /// Pixels of a side.
    package static let sides = 1...2048
}
