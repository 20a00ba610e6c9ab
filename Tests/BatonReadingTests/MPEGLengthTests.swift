/// The length of MPEG sound that does not say it itself.
import Testing

@testable import BatonReading

@Suite struct MPEGLengthTests {
    /// Frames of layer 3, 44,100 in a second, by the numbers of their bit rates.
    private static func frames(_ count: Int, bitIndex: UInt8, kilobits: Int) -> [UInt8] {
        let length = 144 * kilobits * 1_000 / 44_100
        let frame = [0xFF, 0xFB, bitIndex << 4, 0xC0] + [UInt8](repeating: 0x55, count: length - 4)
        return (0..<count).flatMap { _ in frame }
    }

    /// Of 1,400 of them.
    private static let framesUs: Int64 = 1_400 * 1152 * 1_000_000 / 44_100

    private static func countedUs(_ file: [UInt8], from start: Int = 0) -> Int64? {
        MPEGLength.countedUs(from: Int64(start), to: Int64(file.count)) { Array(file.dropFirst(Int($0)).prefix($1)) }
    }

    @Test func `sound of one bit rate is as long as its size says`() {
        #expect(Self.countedUs(Self.frames(1_000, bitIndex: 9, kilobits: 128)) == nil)
    }

    @Test func `sound of several bit rates is counted frame by frame`() {
        let file = Self.frames(700, bitIndex: 9, kilobits: 128) + Self.frames(700, bitIndex: 5, kilobits: 64)
        #expect(Self.countedUs(file) == Self.framesUs)
    }

    @Test func `what is no frame in between is passed over`() {
        let tag = Array("ID3".utf8) + [UInt8](repeating: 0x20, count: 3_000)
        let file = tag + Self.frames(700, bitIndex: 9, kilobits: 128) + tag + Self.frames(700, bitIndex: 5, kilobits: 64) + tag
        #expect(Self.countedUs(file, from: tag.count) == Self.framesUs)
    }

    @Test func `a short file, and one without frames, is left to its size`() {
        #expect(Self.countedUs(Self.frames(10, bitIndex: 9, kilobits: 128)) == nil)
        #expect(Self.countedUs([UInt8](repeating: 0xFF, count: 300_000)) == nil)
    }

    /// The frame that encoders put before the sound: mono, 24,000 in a second.
    private static func measured(frames: UInt8, delay: Int, padding: Int, by encoder: String = "LAME3.100") -> [UInt8] {
        let gaps = delay << 12 | padding
        let head: [UInt8] = [0xFF, 0xF3, 0x84, 0xC0] + [UInt8](repeating: 0, count: 9) + Array("Info".utf8)
        let counts: [UInt8] = [0, 0, 0, 0x0F, 0, 0, 0, frames] + [UInt8](repeating: 0, count: 4 + 100 + 4)
        let tail = [UInt8(gaps >> 16), UInt8(gaps >> 8 & 0xFF), UInt8(gaps & 0xFF)]
        return head + counts + Array(encoder.utf8) + [UInt8](repeating: 0, count: 12) + tail
    }

    @Test func `silence that an encoder has added is no part of the length`() {
        let frame = Self.measured(frames: 100, delay: 576, padding: 1_000)
        #expect(frame[2] & 0b0000_1100 == 0b0000_0100)
        let samples: Int64 = 100 * 576 - 1_576
        #expect(MPEGGaps.lengthUs(frame) == samples * 1_000_000 / 24_000)
    }

    @Test func `a frame that says nothing of it, or ends too early, tells no length`() {
        #expect(MPEGGaps.lengthUs(Self.measured(frames: 100, delay: 0, padding: 0, by: "Unknown 1")) == nil)
        #expect(MPEGGaps.lengthUs(Self.measured(frames: 1, delay: 4_000, padding: 4_000)) == nil)
        let frame = Self.measured(frames: 100, delay: 576, padding: 1_000)
        for length in 0..<frame.count { #expect(MPEGGaps.lengthUs(Array(frame.prefix(length))) == nil) }
    }

    @Test func `the first frame stands behind the tag`() {
        #expect(MPEGGaps.frameStart([0xFF, 0xFB, 0x90, 0, 0, 0, 0, 0, 0, 0]) == 0)
        #expect(MPEGGaps.frameStart(Array("ID3".utf8) + [4, 0, 0, 0, 0, 2, 1]) == 10 + 257)
    }
}
