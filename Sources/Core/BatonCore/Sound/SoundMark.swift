/// Recognises music files by their first bytes: files with sound that do not refer to other files, unlike cue sheets, playlists and linked Matroska
/// files.
package enum SoundMark {
    /// Number of bytes that are enough to recognise a music file.
    package static let bytes = 12

    /// Magic bytes and their offsets.
    private static let marks: [(at: Int, text: String)] = [
        (0, "fLaC"), (0, "OggS"), (0, "RIFF"), (0, "RF64"), (0, "FORM"), (0, "ID3"), (4, "ftyp"), (0, "wvpk"), (0, "MAC "), (0, "TTA1"),
    ]

    /// True when the first `bytes` bytes are those of a music file; fewer bytes are never enough.
    package static func isSound(_ head: [UInt8]) -> Bool {
        head.count >= bytes && (MPEGFrame.isSync(head[...]) || marks.contains { head[$0.at...].starts(with: $0.text.utf8) })
    }
}
