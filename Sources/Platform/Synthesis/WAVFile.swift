import Glibc

/// The format of samples.
package struct SampleFormat: Equatable, Sendable {
    package var channels: Int
    package var bits: Int
    package var rate: Int

    package init(channels: Int, bits: Int, rate: Int) { (self.channels, self.bits, self.rate) = (channels, bits, rate) }

    /// Whether FLAC can store it without loss.
    fileprivate var isStorable: Bool { (1...8).contains(channels) && [8, 16, 24].contains(bits) && (1...655_350).contains(rate) }
    fileprivate var frameBytes: Int { channels * bits / 8 }
}

/// The samples of a WAV file that another program wrote. Nothing in it is trusted: each length is compared with the size of the file.
///
/// It reads at its own offsets, so the descriptor may be shared; the caller owns it.
package struct WAVFile {
    package let format: SampleFormat
    private let file: Int32
    private let first: Int
    private let bytes: Int

    /// Limit of chunks before the sound; a file with more is not a piece of music.
    private static let mostChunks = 64
    private static let blockFrames = 16_384

    package init(_ file: Int32) throws(SynthesisFault) {
        var facts = stat()
        guard unsafe fstat(file, &facts) == 0 else { throw Self.unreadable }
        let size = Int(facts.st_size)
        let head = try Self.read(file, at: 0, count: 12)
        guard head.count == 12, head.starts(with: "RIFF".utf8), head[8...].elementsEqual("WAVE".utf8) else { throw Self.noSound }
        var place = 12
        var format: SampleFormat?
        for _ in 0..<Self.mostChunks {
            let chunk = try Self.read(file, at: place, count: 8)
            guard chunk.count == 8 else { throw Self.noSound }
            let length = Self.number(chunk, at: 4, bytes: 4)
            place += 8
            if chunk.starts(with: "fmt ".utf8) { format = Self.format(try Self.read(file, at: place, count: min(length, 40))) }
            if chunk.starts(with: "data".utf8) {
                guard let format else { throw Self.strange }
                // A writer that did not know the length leaves one of these values, and the sound lasts to the end of the file.
                let isOpen = length == 0 || length == Int(UInt32.max)
                let there = isOpen ? size - place : length
                guard place + there <= size else { throw SynthesisFault("The sound ends before its head says.") }
                guard there >= format.frameBytes else { throw Self.noSound }
                (self.format, self.file, first, bytes) = (format, file, place, there / format.frameBytes * format.frameBytes)
                return
            }
            place += length + length % 2
        }
        throw Self.noSound
    }

    /// Integers only; FLAC cannot store floating point sound exactly.
    private static func format(_ fields: [UInt8]) -> SampleFormat? {
        guard fields.count >= 16 else { return nil }
        let (plain, extensible) = (1, 0xFFFE)
        var kind = number(fields, at: 0, bytes: 2)
        if kind == extensible, fields.count >= 26 { kind = number(fields, at: 24, bytes: 2) }
        let format = SampleFormat(
            channels: number(fields, at: 2, bytes: 2), bits: number(fields, at: 14, bytes: 2), rate: number(fields, at: 4, bytes: 4))
        guard kind == plain, format.isStorable, number(fields, at: 12, bytes: 2) == format.frameBytes else { return nil }
        return format
    }

    /// Calls `use` with all samples in blocks, with interleaved channels.
    package func eachBlock(_ use: ([Int32]) throws(SynthesisFault) -> Void) throws(SynthesisFault) {
        var done = 0
        while done < bytes {
            let wanted = min(bytes - done, Self.blockFrames * format.frameBytes)
            let block = try Self.read(file, at: first + done, count: wanted)
            guard block.count == wanted else { throw Self.unreadable }
            try use(samples(block))
            done += wanted
        }
    }

    /// 8-bit samples are unsigned, wider ones are signed.
    private func samples(_ block: [UInt8]) -> [Int32] {
        let width = format.bits / 8
        if width == 1 { return block.map { Int32($0) - 128 } }
        let spare = Int32(32 - format.bits)
        return (0..<block.count / width).map { sample in
            var value: UInt32 = 0
            for byte in 0..<width { value |= UInt32(block[sample * width + byte]) << UInt32(8 * byte) }
            return Int32(bitPattern: value << UInt32(spare)) >> spare
        }
    }

    /// Returns fewer bytes at the end of the file.
    private static func read(_ file: Int32, at place: Int, count: Int) throws(SynthesisFault) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var got = 0
        while got < count {
            let more = unsafe bytes.withUnsafeMutableBytes { unsafe pread(file, $0.baseAddress! + got, count - got, off_t(place + got)) }
            if more < 0, errno == EINTR { continue }
            guard more >= 0 else { throw unreadable }
            if more == 0 { break }
            got += more
        }
        return Array(bytes.prefix(got))
    }

    private static func number(_ fields: [UInt8], at place: Int, bytes: Int) -> Int {
        (0..<bytes).reduce(0) { $0 | Int(fields[place + $1]) << (8 * $1) }
    }

    private static var unreadable: SynthesisFault { SynthesisFault("The sound cannot be read from the disk.") }
    private static var noSound: SynthesisFault { SynthesisFault("There is no sound in the file.") }
    private static var strange: SynthesisFault { SynthesisFault("The samples are in a format that FLAC cannot hold without a change.") }
}
