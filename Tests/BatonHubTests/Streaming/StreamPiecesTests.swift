/// What listeners of a stream share, and the titles between the bytes.
import BatonSeams
import Testing

@testable import BatonHub
@testable import BatonKernel
@testable import BatonListening

/// BT-STM-005
@Suite struct `Pieces of a stream` {
    @Test func `who comes later gets the head of the part that goes on`() throws {
        var pieces = StreamPieces()
        pieces.add(EncodedPiece([], head: [1]), title: "a")
        pieces.add(EncodedPiece([10]), title: "a")
        pieces.add(EncodedPiece([11], head: [2]), title: "b")
        pieces.add(EncodedPiece([12]), title: "b")

        #expect(pieces[0] == .piece(.init(bytes: [1], title: "a", head: [])))
        #expect(pieces[1] == .piece(.init(bytes: [10], title: "a", head: [1])))
        #expect(pieces[2] == .piece(.init(bytes: [11, 2], title: "b", head: [1])))
        #expect(pieces[3] == .piece(.init(bytes: [12], title: "b", head: [2])))
        #expect(pieces[4] == .later)
    }

    @Test func `so many are kept, and who is further behind has lost the stream`() {
        var pieces = StreamPieces()
        for number in 0..<StreamPieces.kept + 5 { pieces.add(EncodedPiece([UInt8(truncatingIfNeeded: number)]), title: "") }

        #expect(pieces[4] == .lost)
        #expect(pieces[5] != .lost)
        #expect(pieces.start == pieces.next - StreamPieces.burst)
    }
}

/// BT-STM-006
@Suite struct `Titles between the bytes of a stream` {
    @Test func `a title stands after every so many bytes, and once only`() {
        var titles = StreamTitles(every: 4)

        let first = titles.add([1, 2, 3, 4, 5], title: "Ana - Go")
        let second = titles.add([6, 7, 8], title: "Ana - Go")

        let block = Array("StreamTitle='Ana - Go';".utf8)
        #expect(first == [1, 2, 3, 4, 2] + block + [UInt8](repeating: 0, count: 32 - block.count) + [5])
        #expect(second == [6, 7, 8, 0])
    }

    @Test func `a title cannot end itself, and one that is too long is cut between characters`() {
        var titles = StreamTitles(every: 1)

        let sly = titles.add([1], title: "a';StreamUrl='x")
        let long = titles.add([2], title: String(repeating: "ü", count: 5_000))

        #expect(!String(decoding: sly.dropFirst(2), as: UTF8.self).contains("a';"))
        #expect(long[1] == 255 && long.count == 2 + 255 * 16)
        #expect(String(validating: long.dropFirst(2), as: UTF8.self)?.contains("ü';") == true)
    }

    @Test(arguments: 1...40) func `however the bytes come, the titles stand at the same places`(size: Int) {
        let bytes = (0..<200).map { UInt8($0) }
        var whole = StreamTitles(every: 17)
        var pieces = StreamTitles(every: 17)

        let expected = whole.add(bytes, title: "x")
        var got: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: size) {
            got += pieces.add(Array(bytes[start..<min(start + size, 200)]), title: "x")
        }

        #expect(got == expected)
    }
}
