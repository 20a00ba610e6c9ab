/// Sound of a station cut into parts, each of which begins with a frame.
import BatonCore
import Testing

@testable import BatonRadio

@Suite struct SoundCutterTests {
    /// The parts and the heads that they got, with the stream in pieces of any size and titles anywhere.
    private static func parts(
        of stream: [UInt8], _ form: SoundForm, titles: [Int], _ random: inout SeededGenerator
    ) -> (parts: [[UInt8]], heads: [[UInt8]], isExact: Bool) {
        var cutter = SoundCutter(form)
        var (parts, heads, isExact) = ([[UInt8]](repeating: [], count: 1), [[UInt8]](), true)
        var at = 0
        while at < stream.count {
            let next = titles.first { $0 > at } ?? stream.count
            let end = min(next, at + Int.random(in: 1...3_000, using: &random))
            for output in cutter.take(Array(stream[at..<end]), isCut: titles.contains(at)) {
                switch output {
                case .sound(let sound): parts[parts.count - 1] += sound
                case .cut(let exact, let head):
                    isExact = isExact && exact
                    heads.append(head)
                    parts.append([])
                }
            }
            at = end
        }
        parts[parts.count - 1] += cutter.end()
        return (parts, heads, isExact)
    }

    /// BT-RAD-011
    @Test(arguments: 0..<60 as Range<UInt64>)
    func `parts joined are the stream, and each begins with the first frame behind its title`(seed: UInt64) {
        var random = SeededGenerator(seed)
        let form: SoundForm = [.mpeg, .adts, .ogg][Int(seed % 3)]
        var frames: [[UInt8]] = []
        switch form {
        case .mpeg: frames = Frames.mpeg(60, &random)
        case .adts: frames = Frames.adts(60, &random)
        default: frames = Frames.ogg(40, &random) + Frames.ogg(40, &random)
        }
        let stream = Array(frames.joined())
        let titles = [stream.count / 4, stream.count / 2, stream.count * 3 / 4]

        let found = Self.parts(of: stream, form, titles: titles, &random)

        #expect(Array(found.parts.joined()) == stream)
        #expect(found.isExact && found.parts.count == 4)
        var begins: [Int] = [0]
        for frame in frames { begins.append((begins.last ?? 0) + frame.count) }
        var place = 0
        for (part, title) in zip(found.parts, titles) {
            place += part.count
            #expect(begins.contains(place) && place >= title && place - title <= 2_500)
        }
    }

    @Test func `a part in the middle of a chain gets the head of its own chain`() {
        var random = SeededGenerator(7)
        let frames = Frames.ogg(30, &random) + Frames.ogg(30, &random)
        let stream = Array(frames.joined())
        let second = frames[..<45].reduce(0) { $0 + $1.count }

        let found = Self.parts(of: stream, .ogg, titles: [second], &random)

        #expect(found.heads == [frames[30] + frames[31]])
        #expect(found.parts[1].starts(with: frames[45]))
    }

    @Test func `a part that begins with a chain gets no other head`() {
        var random = SeededGenerator(8)
        let frames = Frames.ogg(30, &random) + Frames.ogg(30, &random)
        let first = frames[..<30].reduce(0) { $0 + $1.count }
        let found = Self.parts(of: Array(frames.joined()), .ogg, titles: [first], &random)
        #expect(found.heads == [[]] && found.parts[1].starts(with: frames[30]))
    }

    @Test func `the frame with the length of a file is left out`() {
        var random = SeededGenerator(9)
        var frames = Frames.mpeg(5, &random)
        frames[0].replaceSubrange(36..<40, with: "Info".utf8)
        let found = Self.parts(of: Array(frames.joined()), .mpeg, titles: [], &random)
        #expect(found.parts == [Array(frames[1...].joined())])
    }

    @Test func `sound that begins in the middle of a frame, or breaks, is found again`() {
        var random = SeededGenerator(10)
        let frames = Frames.mpeg(40, &random)
        let broken = Array(frames[0].dropFirst(200)) + frames[1..<20].joined() + frames[20].prefix(99) + frames[21...].joined()
        let title = frames[..<25].reduce(0) { $0 + $1.count } - 200
        let found = Self.parts(of: broken, .mpeg, titles: [title], &random)
        #expect(Array(found.parts.joined()) == broken && found.isExact)
        #expect(frames.contains { found.parts[1].starts(with: $0) })
    }

    @Test func `sound of another kind is cut at the byte, and so is what has no frames`() {
        var random = SeededGenerator(11)
        let noise = Frames.noise(400_000, &random).map { $0 == 0xFF ? 0 : $0 }
        let bytes = Self.parts(of: noise, .bytes, titles: [5_000], &random)
        #expect(bytes.parts.map(\.count) == [5_000, 395_000] && !bytes.isExact)
        let lost = Self.parts(of: noise, .mpeg, titles: [5_000], &random)
        #expect(Array(lost.parts.joined()) == noise && lost.parts.count == 2 && !lost.isExact)
    }
}
