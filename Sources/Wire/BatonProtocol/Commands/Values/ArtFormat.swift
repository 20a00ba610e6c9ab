/// The bounds of a picture that a command asks for.
extension ArtFormat {
    /// Range of a side in pixels.
    package static let sides = 1...2048
}
