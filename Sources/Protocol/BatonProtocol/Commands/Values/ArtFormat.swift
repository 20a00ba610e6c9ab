/// The requested format of a picture.
public enum ArtFormat: String, Sendable, CaseIterable {
    case jpeg, png

    /// Range of a side in pixels.
    package static let sides = 1...2048
}
