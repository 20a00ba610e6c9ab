/// Pictures at the sizes that screens want, made once and kept for the next request. Blocks; never
/// asked on the loop.
package protocol PictureMaking: Sendable {
    /// At exactly this size, as `MediaReading` makes it; with neither measure nor kind, as its maker left it.
    /// `.unavailable` while too many are being made.
    func picture(
        _ id: String, from source: PictureSource, width: Int?, height: Int?, format: Picture.Format?, mostBytes: Int?
    ) throws(SourceFault) -> Picture
}
