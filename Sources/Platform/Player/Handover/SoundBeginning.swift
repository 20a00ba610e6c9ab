import BatonSeams

/// What the first bytes of a file say: whether it holds sound and nothing that refers to other files, as cue sheets, playlists and linked
/// Matroska files do; and which time stamp its first sample has.
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
        head.count >= markBytes && (MPEGHeader.isSync(head) || marks.contains { head[$0.at...].starts(with: $0.text.utf8) })
    }

    /// The time stamp of the first sample in microseconds; `nil` where that cannot be told.
    static func us(of playable: Playable) async -> Int? {
        switch playable.location {
        case .url: nil
        case .file(let file): await us { place throws(SourceFault) in try file.content.read(at: place, count: headBytes) }
        case .bytes(let bytes): await us { place throws(SourceFault) in try await bytes.content.read(at: place, count: headBytes) }
        }
    }

    private static func us(_ read: (Int64) async throws(SourceFault) -> [UInt8]) async -> Int? {
        do throws(SourceFault) {
            var head = try await read(0)
            guard isSound(head) else { return nil }
            if head.starts(with: "OggS".utf8) { return OggBeginning.isZero(head) ? 0 : nil }
            if head.starts(with: "ID3".utf8) { head = try await read(Int64(tagBytes(head))) }
            guard MPEGHeader.isSync(head) else { return head.starts(with: "ID3".utf8) ? nil : 0 }
            return MPEGHeader(head)?.startUs ?? 0
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

/// The first frame of MPEG audio, as far as it says how many samples at the beginning are the encoder's and no music.
struct MPEGHeader: Equatable {
    private(set) var startUs = 0

    /// What a decoder of layer III delays by itself.
    private static let decoderDelay = 529
    private static let rates = [44_100, 48_000, 32_000]
    private static let encoders = ["LAME", "Lavf", "Lavc"]

    static func isSync(_ head: [UInt8]) -> Bool { head.count > 3 && head[0] == 0xFF && head[1] & 0xE0 == 0xE0 }

    /// `nil` where there is no such frame; libavformat counts from zero then.
    init?(_ head: [UInt8]) {
        guard Self.isSync(head), head[1] & 0x06 == 0x02, head[2] >> 2 & 3 < 3 else { return nil }
        let isFirstVersion = head[1] & 0x18 == 0x18
        let isMono = head[3] >> 6 == 3
        let tag = 4 + (isFirstVersion ? (isMono ? 17 : 32) : (isMono ? 9 : 17))
        guard head.count > tag + 8 else { return nil }
        let name = String(decoding: head[tag..<tag + 4], as: UTF8.self)
        guard name == "Xing" || name == "Info" else { return nil }
        // Each field that is there has its bit.
        let fields = [(1, 4), (2, 4), (4, 100), (8, 4)].reduce(0) { $0 + (Int(head[tag + 7]) & $1.0 == 0 ? 0 : $1.1) }
        let encoder = tag + 8 + fields
        guard head.count >= encoder + 24, Self.encoders.contains(String(decoding: head[encoder..<encoder + 4], as: UTF8.self)) else {
            return
        }
        let delay = Int(head[encoder + 21]) << 4 | Int(head[encoder + 22]) >> 4
        let half = isFirstVersion ? 1 : (head[1] & 0x18 == 0x10 ? 2 : 4)
        let rate = Self.rates[Int(head[2] >> 2 & 3)] / half
        startUs = ((delay + Self.decoderDelay) * 1_000_000 + rate / 2) / rate
    }
}

/// The first pages of an Ogg file. One that was cut out of a stream does not begin at zero.
enum OggBeginning {
    /// More than the first page with sound holds, at the highest rate.
    private static let mostSamples: UInt64 = 10 * 192_000

    static func isZero(_ head: [UInt8]) -> Bool {
        var page = 0
        while head.count >= page + 27, head[page...].starts(with: "OggS".utf8) {
            let samples = head[page + 6..<page + 14].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            // No packet ends in a page with all bits set, and those of the headers have none.
            if samples != 0, samples != .max { return samples < mostSamples }
            let pieces = Int(head[page + 26])
            guard head.count >= page + 27 + pieces else { return false }
            page += 27 + pieces + head[page + 27..<page + 27 + pieces].reduce(0) { $0 + Int($1) }
        }
        return false
    }
}
