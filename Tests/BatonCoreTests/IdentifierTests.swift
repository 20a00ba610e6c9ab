import BatonCore
import Testing

struct IdentifierTests {
    @Test(arguments: [0, 1, 35, 36, 1295, 1 << 31, 1 << 53, .max] as [UInt64])
    func `an entry is found again by its text`(number: UInt64) {
        #expect(EntryID(text: EntryID(number).text) == EntryID(number))
    }

    @Test(arguments: seeds)
    func `an entry is found again by its text, whatever its number`(seed: UInt64) {
        var random = SeededGenerator(seed)
        let id = EntryID(random.next() >> UInt64(random.number(0..<64)))

        #expect(EntryID(text: id.text) == id)
    }

    @Test(arguments: ["", "q", "7", "x7", "q+5", "q-5", "q07", "qA", "q 7", "q7 ", "qé", "q3w5e11264sgsg", "q00000000000000", "Q7"])
    func `a text that no entry would write names none`(text: String) {
        #expect(EntryID(text: text) == nil)
    }

    @Test func `an item names its source before the first colon`() {
        #expect(ItemURI("file:track/a%3Ab").source == "file")
        #expect(ItemURI("nothing").source == "nothing")
    }

    @Test func `numbers are given out once, in order`() {
        var numbers = EntryNumbers(next: 7)

        #expect([numbers.take(), numbers.take(), numbers.take()] == [EntryID(7), EntryID(8), EntryID(9)])
        #expect(numbers.next == 10)
    }
}
