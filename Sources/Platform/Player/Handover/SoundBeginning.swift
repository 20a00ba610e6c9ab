/// Time stamp of the first sample of a file, found from its first bytes.
import BatonCore
import BatonSeams

enum SoundBeginning {
    /// Number of bytes that suffice to find the time stamp.
    private static let headBytes = 64 * 1024

    /// The time stamp of the first sample in microseconds; `nil` if it is unknown.
    static func us(of playable: Playable) async -> Microseconds? {
        switch playable.location {
        case .url, .parts: nil
        case .file(let file): await us { position throws(SourceFault) in try file.content.read(at: position, count: headBytes) }
        case .bytes(let bytes): await us { position throws(SourceFault) in try await bytes.content.read(at: position, count: headBytes) }
        }
    }

    private static func us(_ read: (Int64) async throws(SourceFault) -> [UInt8]) async -> Microseconds? {
        do throws(SourceFault) {
            var head = try await read(0)
            guard SoundMark.isSound(head) else { return nil }
            if head.starts(with: OggPage.mark) { return OggBeginning.isZero(head) ? 0 : nil }
            if head.starts(with: "ID3".utf8) { head = try await read(Int64(tagBytes(head))) }
            guard MPEGFrame.isSync(head[...]) else { return head.starts(with: "ID3".utf8) ? nil : 0 }
            // Without such a frame, libavformat counts from zero.
            return MPEGFrame(head[...])?.startUs(head[...]) ?? 0
        } catch {
            return nil
        }
    }

    /// Length of an ID3 tag. Its size field has seven bits in each byte and excludes header and footer.
    private static func tagBytes(_ head: [UInt8]) -> Int {
        let size = head[6..<10].reduce(0) { $0 << 7 | Int($1 & 0x7F) }
        return size + (head[5] & 0x10 == 0 ? 10 : 20)
    }
}

/// The first pages of an Ogg file. A file cut out of a stream does not begin at zero.
enum OggBeginning {
    /// Upper bound for the samples in the first page of sound, at the highest rate.
    private static let mostSamples: UInt64 = 10 * 192_000

    static func isZero(_ head: [UInt8]) -> Bool {
        var position = 0
        while position < head.count, case .page(let page) = OggPage.read(head[position...]) {
            if page.hasTime { return page.time < mostSamples }
            position += page.length
        }
        return false
    }
}
