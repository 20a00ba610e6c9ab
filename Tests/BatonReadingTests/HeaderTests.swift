import Testing

@testable import BatonReading

/// Sizes and rates from first bytes.
@Suite struct HeaderTests {
    @Test func `each kind of picture tells its size`() throws {
        let png: [UInt8] = [0x89] + Array("PNG\r\n\u{1A}\n".utf8) + [0, 0, 0, 13] + Array("IHDR".utf8) + [0, 0, 1, 0, 0, 0, 0, 200]
        let gif = Array("GIF89a".utf8) + [44, 1, 200, 0]
        let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 1, 2, 0xFF, 0xFF, 0xC2, 0, 11, 8, 0, 200, 1, 44, 3]
        let lossless = Array("RIFF\0\0\0\0WEBPVP8L\0\0\0\0".utf8) + [0x2F, 0x2B, 0xC1, 0x31, 0x00]

        #expect(try PictureHeader(of: png) == PictureHeader(type: .png, width: 256, height: 200))
        #expect(try PictureHeader(of: gif) == PictureHeader(type: .gif, width: 300, height: 200))
        #expect(try PictureHeader(of: jpeg) == PictureHeader(type: .jpeg, width: 300, height: 200))
        #expect(try PictureHeader(of: lossless) == PictureHeader(type: .webp, width: 300, height: 200))
    }

    @Test func `a picture that claims too many pixels is refused before it is decoded`() {
        let bomb: [UInt8] =
            [0x89] + Array("PNG\r\n\u{1A}\n".utf8) + [0, 0, 0, 13] + Array("IHDR".utf8) + [0, 0, 0x7F, 0xFF, 0, 0, 0x7F, 0xFF]
        let line: [UInt8] = [0x89] + Array("PNG\r\n\u{1A}\n".utf8) + [0, 0, 0, 13] + Array("IHDR".utf8) + [0, 0, 0x40, 0x01, 0, 0, 0, 1]

        #expect(throws: PictureHeader.Refusal.tooManyPixels) { try PictureHeader(of: bomb) }
        #expect(throws: PictureHeader.Refusal.tooManyPixels) { try PictureHeader(of: line) }
        #expect(throws: PictureHeader.Refusal.unknown) { try PictureHeader(of: Array("no picture".utf8)) }
    }

    @Test(arguments: 0..<40) func `pictures that end anywhere are refused`(length: Int) {
        let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 1, 2, 0xFF, 0xFF, 0xC2, 0, 11, 8, 0, 200, 1, 44, 3]
        let webp = Array("RIFF\0\0\0\0WEBPVP8X\0\0\0\0\0\0\0\0".utf8)

        if length < 18 { #expect(throws: PictureHeader.Refusal.unknown) { try PictureHeader(of: jpeg.prefix(length)) } }
        #expect(throws: PictureHeader.Refusal.unknown) { try PictureHeader(of: webp.prefix(length)) }
    }

    @Test func `the head of a frame of MPEG sound`() {
        let common = SoundHeader.mpeg([0xFF, 0xFB, 0x90, 0x00])
        let mono = SoundHeader.mpeg([0xFF, 0xF3, 0x84, 0xC0])

        #expect(common == SoundHeader(rate: 44_100, channels: 2, layer: 3, bitRate: 128_000))
        #expect(mono == SoundHeader(rate: 24_000, channels: 1, layer: 3, bitRate: 64_000))
        for head: [UInt8] in [[], [0xFF], [0xFF, 0xFF, 0xFF, 0xFF], [0, 0, 0, 0], [0xFF, 0xE8, 0, 0]] {
            #expect(SoundHeader.mpeg(head) == nil)
        }
    }

    @Test func `the first block of FLAC`() {
        var block = [UInt8](repeating: 0, count: 34)
        // 96,000 Hz, 6 channels, 24 bits.
        block.replaceSubrange(10..<14, with: [0x17, 0x70, 0x0B, 0x70])

        #expect(SoundHeader.flac(block) == SoundHeader(rate: 96_000, channels: 6, bits: 24))
        #expect(SoundHeader.flac([1, 2]) == nil)
    }
}
