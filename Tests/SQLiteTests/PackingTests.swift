/// Numbers in few bytes.
import BatonCore
import SQLite
import Testing

struct PackingTests {
    @Test(arguments: [[], [0], [.max], [1, 2, 3, 1000, 5, .max, 0, 1 << 40]] as [[UInt64]])
    func `numbers are read as they were written, and no half of them`(numbers: [UInt64]) {
        let entries = numbers.map { EntryID($0) }
        var packer = Packer()
        packer.put(entries)
        packer.put(EntryID(5))

        var whole = Unpacker(packer.bytes)
        #expect(whole.entries() == entries && whole.entry() == EntryID(5) && whole.number() == nil)
        for count in 0..<packer.bytes.count - 1 {
            var half = Unpacker(Array(packer.bytes.prefix(count)))
            #expect(half.entries() == nil)
        }
    }
}
