/// The id of a new room is made from its name once, and stays when the room is renamed.
extension RoomID {
    /// The name in lower-case letters, digits and hyphens, with a number appended where that word is `taken`. A name without such characters becomes
    /// `room`.
    package init(named name: String, taken: (RoomID) -> Bool) {
        let word = Self.word(for: name)
        var id = RoomID(word)
        var number = 2
        while taken(id) {
            id = RoomID("\(word)-\(number)")
            number += 1
        }
        self = id
    }

    private static let longest = 32

    private static func word(for name: String) -> String {
        var word = ""
        for character in name.lowercased() {
            let plain = spelling[character] ?? String(character)
            if plain.utf8.allSatisfy(isPlain) { word += plain } else if !word.isEmpty, word.last != "-" { word += "-" }
        }
        word = String(word.prefix(longest))
        while word.last == "-" { word.removeLast() }
        return word.isEmpty ? "room" : word
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
    }

    /// Letters that have a plain spelling; all others become hyphens.
    private static let spelling: [Character: String] = {
        var spelling: [Character: String] = [
            "ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "æ": "ae", "ø": "o", "å": "a", "œ": "oe", "ł": "l", "'": "", "’": "",
        ]
        let accented = [
            "a": "àáâãāăą", "c": "çćč", "d": "ďđ", "e": "èéêëēėęě", "g": "ğ", "i": "ìíîïīįı", "n": "ñńň", "o": "òóôõōő", "r": "řŕ",
            "s": "śšş",
            "t": "ťţ", "u": "ùúûūůűų", "y": "ýÿ", "z": "źżž",
        ]
        for (plain, letters) in accented { for letter in letters { spelling[letter] = plain } }
        return spelling
    }()
}
