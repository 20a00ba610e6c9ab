/// What the first bytes of a file say: whether it holds sound and nothing that refers to other files, as cue sheets, playlists and linked
/// Matroska files do; and which time stamp its first sample has.
import BatonCore
import BatonSeams

enum SoundBeginning {
    /// As many as tell files of music from all others.
    static let markBytes = 12
    /// As many as tell the time stamp of the first sample.
    private static let headBytes = 64 * 1024

    /// What files of music begin with: letters, and where they stand.
    private static let marks: [(at: Int, text: String)] = [
        (0, "fLaC"), (0, "OggS"), (0, "RIFF"), (0, "RF64"), (0, "FORM"), (0, "ID3"), (4, "ftyp"), (0, "wvpk"), (0, "MAC "), (0, "TTA1"),
    ]

    static func isSound(_ head: [UInt8]) -> Bool {
        head.count >= markBytes && (MPEGFrame.isSync(head[...]) || marks.contains { head[$0.at...].starts(with: $0.text.utf8) })
    }

    /// The time stamp of the first sample in microseconds; `nil` where that cannot be told.
    static func us(of playable: Playable) async -> Int? {
        switch playable.location {
        case .url, .parts: nil
        case .file(let file): await us { place throws(SourceFault) in try file.content.read(at: place, count: headBytes) }
        case .bytes(let bytes): await us { place throws(SourceFault) in try await bytes.content.read(at: place, count: headBytes) }
        }
    }

    private static func us(_ read: (Int64) async throws(SourceFault) -> [UInt8]) async -> Int? {
        do throws(SourceFault) {
            var head = try await read(0)
            guard isSound(head) else { return nil }
            if head.starts(with: OggPage.mark) { return OggBeginning.isZero(head) ? 0 : nil }
            if head.starts(with: "ID3".utf8) { head = try await read(Int64(tagBytes(head))) }
            guard MPEGFrame.isSync(head[...]) else { return head.starts(with: "ID3".utf8) ? nil : 0 }
            // libavformat counts from zero where there is no such frame.
            return MPEGFrame(head[...])?.startUs(head[...]) ?? 0
        } catch {
            return nil
        }
    }

    /// How long an ID3 tag is: its size has seven bits in each byte and counts neither its head nor its foot.
    private static func tagBytes(_ head: [UInt8]) -> Int {
        let size = head[6..<10].reduce(0) { $0 << 7 | Int($1 & 0x7F) }
        return size + (head[5] & 0x10 == 0 ? 10 : 20)
    }
}

/// The first pages of an Ogg file. One that was cut out of a stream does not begin at zero.
enum OggBeginning {
    /// More than the first page with sound holds, at the highest rate.
    private static let mostSamples: UInt64 = 10 * 192_000

    static func isZero(_ head: [UInt8]) -> Bool {
        var place = 0
        while place < head.count, case .page(let page) = OggPage.read(head[place...]) {
            if page.hasTime { return page.time < mostSamples }
            place += page.length
        }
        return false
    }
}
