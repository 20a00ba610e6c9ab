import BatonCore
import Testing

@testable import baton

@Suite struct `What a terminal sends becomes keys` {
    @Test(arguments: [
        ("q", [TerminalEvent.key(.character("q"))]), ("ä久", [.key(.character("ä")), .key(.character("久"))]),
        ("\u{1B}[A\u{1B}OB", [.key(.up), .key(.down)]), ("\u{1B}[1;5C", [.key(.right)]),
        ("\u{1B}[5~\u{1B}[6~", [.key(.pageUp), .key(.pageDown)]),
        ("\r\t\u{7F}\u{1B}[Z", [.key(.enter), .key(.tab), .key(.backspace), .key(.backTab)]), ("\u{3}", [.key(.control("c"))]),
        ("\u{1B}[<0;11;5M\u{1B}[<0;11;5m", [.mouse(.press, Spot(row: 4, column: 10))]),
        ("\u{1B}[<64;1;1M\u{1B}[<65;1;2M", [.mouse(.wheelUp, Spot(row: 0, column: 0)), .mouse(.wheelDown, Spot(row: 1, column: 0))]),
        ("\u{1B}[<2;1;1M\u{1B}[<35;9;9M", []), ("\u{1B}[200~q\u{1B}[A\u{1B}[201~x", [.pasted("q\u{1B}[A"), .key(.character("x"))]),
        ("\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[?62;4;22c", [.answer(.kitty), .answer(.attributes([62, 4, 22]))]),
        ("\u{1B}[6;20;10t", [.answer(.cell(width: 10, height: 20))]), ("\u{1B}[?2026;2$y", [.answer(.synchronised)]),
        ("\u{1B}[?2026;0$y", []),
        ("\u{1B}_Gi=31;ENOENT:no\u{1B}\\", []), ("\u{1B}]11;rgb:0/0/0\u{7}", []),
        ("\u{1B}x\u{1B}\u{1B}[A", [.key(.escape), .key(.character("x")), .key(.escape), .key(.up)]), ("\u{1B}[99~\u{1B}[>1;2c", []),
    ]) func `whole or byte by byte`(text: String, events: [TerminalEvent]) {
        var input = TerminalInput()
        #expect(input.take(Array(text.utf8)) == events)
        #expect(!input.isWaitingForRest)

        var slow = TerminalInput()
        #expect(text.utf8.flatMap { slow.take([$0]) } == events)
    }

    @Test func `a lone escape is a key once nothing followed it`() {
        var input = TerminalInput()
        #expect(input.take([0x1B]) == [])
        #expect(input.isWaitingForRest)
        #expect(input.giveUp() == [.key(.escape)])
        #expect(input.take(Array("[A".utf8)) == [.key(.character("[")), .key(.character("A"))])
    }

    @Test func `half a sequence that is never continued is dropped`() {
        var input = TerminalInput()
        #expect(input.take(Array("\u{1B}[1".utf8)) == [])
        #expect(input.giveUp() == [])
        #expect(input.take(Array("q".utf8)) == [.key(.character("q"))])
    }

    @Test(arguments: 0..<100) func `noise is no reason to stop`(seed: UInt64) {
        var random = SeededGenerator(seed)
        var input = TerminalInput()
        let likely: [UInt8] = [0x1B, 0x5B, 0x3C, 0x3B, 0x4D, 0x7E, 0x32, 0x30, 0x31, 0x5F, 0x5C, 0xE4, 0xFF, 0x80]
        for _ in 0..<600 {
            let byte = Bool.random(using: &random) ? likely.randomElement(using: &random) ?? 0 : UInt8.random(in: 0...255, using: &random)
            _ = input.take([byte])
        }
        // Whatever it waited for is over, and keys are keys again.
        _ = input.take(Array("\u{1B}[201~\u{1B}\\".utf8) + Array(repeating: 0x20, count: 5000))
        _ = input.giveUp()
        #expect(input.take(Array("q".utf8)).last == .key(.character("q")))
    }
}
