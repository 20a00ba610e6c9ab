/// What the journal keeps in memory does not grow with what comes.
import BatonCore
import BatonSeams
import Harness
import Testing

@testable import Stores

struct MemoryTests {
    @Test func `keys that were heard are told from new ones in a table of one size`() {
        var filter = KeyFilter()
        #expect(!filter.contains(1))
        func hash(_ number: Int) -> Int {
            var hasher = Hasher()
            hasher.combine(number)
            return hasher.finalize()
        }
        let heard = (0..<50_000).map(hash)
        for hash in heard { filter.insert(hash) }

        #expect(heard.allSatisfy(filter.contains))
        // Nine of ten are told apart; the others cost a look into the file.
        let mistaken = (1_000_000..<1_010_000).count { filter.contains(hash($0)) }
        #expect(mistaken < 1_500)

        for number in 50_000..<1_000_000 { filter.insert(hash(number)) }
        #expect(heard.allSatisfy(filter.contains) && filter.byteCount == 64 << 10)
    }

    /// A key is stored for ten minutes, of each of ever so many clients: the file grows for so long, what is held of it does not.
    @Test func `answers of thousands of clients leave the pages that are held within their limit`() throws {
        try withFolder { folder in
            try withStore(in: folder) { file in
                let text = String(repeating: " ", count: 900)
                for number in 0..<6_000 {
                    let kept = StoredAnswer(device: "d_\(number)", key: "k-\(number)", hash: 7, reply: reply(text))
                    try file.commit([Change(room: living, answer: kept, revision: number + 1)])
                }
                #expect(file.measure.bytes + file.measure.logBytes > 6 << 20)
                #expect(file.measure.cacheBytes < 3 << 19)
            }
        }
    }
}
