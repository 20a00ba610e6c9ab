/// Heads of frames of MPEG audio.
import BatonCore
import Testing

@Suite struct MPEGFrameTests {
    /// As the tables of the standard have them: version 1 at 128 kbit/s and 44,100 Hz, version 2 at 64 and 22,050, layer I at 384 and 48,000.
    @Test(arguments: [
        ([0xFF, 0xFB, 0x90, 0x64], 417), ([0xFF, 0xFB, 0x92, 0x64], 418), ([0xFF, 0xF3, 0x80, 0xC4], 208), ([0xFF, 0xFF, 0xC4, 0], 384),
    ])
    func `a frame is as long as its head says`(head: [UInt8], length: Int) {
        #expect(MPEGFrame(head[...])?.length == length)
    }

    @Test(arguments: [
        [0xFF, 0xFB, 0xF0, 0x64], [0xFF, 0xFB, 0x00, 0x64], [0xFF, 0xFB, 0x9C, 0x64], [0xFF, 0xEB, 0x90, 0x64], [0xFF, 0xF1, 0x50, 0x80],
    ])
    func `heads with reserved values and heads of AAC are none`(head: [UInt8]) {
        #expect(MPEGFrame(head[...]) == nil)
        #expect(MPEGFrame(head[..<3]) == nil)
    }

    @Test func `the tag of an encoder says where the music begins, and one that is cut says nothing`() {
        let head: [UInt8] = [0xFF, 0xFB, 0x90, 0x64]
        let side = [UInt8](repeating: 0, count: 32)
        let tag: [UInt8] = Array("Info".utf8) + [0, 0, 0, 15] + [UInt8](repeating: 0, count: 112)
        let encoder: [UInt8] = Array("Lavf".utf8) + [UInt8](repeating: 0, count: 17) + [0x24, 0x00, 0x00]
        let frame = head + side + tag + encoder
        let whole = MPEGFrame(frame[...])

        // 576 samples of the encoder and 529 of the decoder.
        #expect(whole?.startUs(frame[...]) == 25_057)
        #expect(whole?.isInformation(frame[...]) == true)
        for count in 4..<frame.count { #expect(MPEGFrame(frame[..<count])?.startUs(frame[..<count]) == 0) }
    }
}
