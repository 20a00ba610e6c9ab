/// Pictures at the sizes that screens need, scaled once and stored for later requests. Blocks; never called on the loop.
package protocol PictureMaking: Sendable {
    /// The picture scaled as by `MediaReading`; without size and format, the original. `.unavailable` while too many are being scaled.
    func picture(
        _ id: String, from source: PictureSource, width: Int?, height: Int?, format: Picture.Format?, mostBytes: Int?
    ) throws(SourceFault) -> Picture
}
