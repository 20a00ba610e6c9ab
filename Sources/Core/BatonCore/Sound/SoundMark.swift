/// What the first bytes of files of music are: whether a file holds sound and nothing that refers to other files, as cue sheets, playlists and
/// linked Matroska files do.
package enum SoundMark {
    /// As many as tell files of music from all others.
    package static let bytes = 12

    /// Letters, and where they stand.
    private static let marks: [(at: Int, text: String)] = [
        (0, "fLaC"), (0, "OggS"), (0, "RIFF"), (0, "RF64"), (0, "FORM"), (0, "ID3"), (4, "ftyp"), (0, "wvpk"), (0, "MAC "), (0, "TTA1"),
    ]

    package static func isSound(_ head: [UInt8]) -> Bool {
        head.count >= bytes && (MPEGFrame.isSync(head[...]) || marks.contains { head[$0.at...].starts(with: $0.text.utf8) })
    }
}
