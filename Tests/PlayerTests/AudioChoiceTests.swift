import Testing

@testable import Player

@Suite struct AudioChoiceTests {
    @Test func `each kind of output has its text`() {
        let table: [(String, AudioChoice?)] = [
            ("auto", .auto), ("null", .null), ("pcm:/tmp/x y", .pcm("/tmp/x y")), ("pulse/room1", .device("pulse/room1")),
            ("pcm:", nil), ("", nil), ("a\nb", nil),
        ]
        for (text, choice) in table {
            #expect(AudioChoice(text: text) == choice)
            if let choice { #expect(choice.text == text) }
        }
    }

    @Test func `a gain becomes the volume whose cube it is`() {
        #expect(abs(PlayerOption.volume(gain: 0.125) - 50) < 1e-9)
        #expect(PlayerOption.volume(gain: 0) == 0)
        #expect(PlayerOption.volume(gain: 7) == 100)
    }
}
