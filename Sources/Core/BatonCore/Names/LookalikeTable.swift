/// Letters of Greek, Cyrillic and lesser-known Latin that look like another letter: each row has a base letter and the letters that look like it.
///
/// A choice of facts after Unicode's confusables (UTS #39; its data is under the Unicode License V3, © Unicode, Inc.). Pairs that are similar only in
/// some fonts, such as "rn" and "m", are left out, since names of people differ by them.
enum LookalikeTable {
    static let letters: [Unicode.Scalar: String] = {
        var letters: [Unicode.Scalar: String] = [:]
        for (base, alike) in rows + accented {
            for letter in alike.unicodeScalars { letters[letter] = base }
        }
        return letters
    }()

    private static let rows: [(base: String, alike: String)] = [
        ("A", "ΑА"), ("B", "ΒВ"), ("C", "ϹС"), ("E", "ΕЕ"), ("F", "Ϝ"), ("G", "Ԍ"), ("H", "ΗН"), ("I", "ΙІӀ"), ("J", "ͿЈ"),
        ("K", "ΚКK"), ("M", "ΜМϺ"), ("N", "Ν"), ("O", "ΟО"), ("P", "ΡР"), ("Q", "Ԛ"), ("S", "Ѕ"), ("T", "ΤТ"), ("V", "Ѵ"), ("W", "Ԝ"),
        ("X", "ΧХ"), ("Y", "ΥУҮϒ"), ("Z", "Ζ"), ("a", "αаɑ"), ("b", "ЬƄ"), ("c", "ϲсᴄ"), ("d", "ԁ"), ("e", "еҽ"), ("f", "ſϝ"),
        ("g", "ɡᶃƍ"), ("h", "һℎ"), ("i", "ιіıɩɪӏꙇ"), ("j", "ϳј"), ("k", "κкϰᴋĸ"), ("l", "ǀℓ"), ("n", "ηƞ"), ("o", "οоσᴏ"),
        ("p", "ρрϱƿ"), ("q", "ԛ"), ("r", "гᴦ"), ("s", "ѕꜱƽ"), ("u", "υʋᴜ"), ("v", "νѵᴠ"), ("w", "ѡԝɯᴡ"), ("x", "χх×"), ("y", "γуүʏɣ"),
        ("z", "ᴢ"), ("ß", "β"), ("Þ", "Ϸ"), ("þ", "ϸ"), ("Æ", "Ӕ"), ("æ", "ӕ"), ("Ə", "Ә"), ("ə", "әǝ"), ("Ɵ", "ΘӨѲ"), ("ɵ", "θөѳ"),
        ("Ɛ", "Ԑ"), ("ɛ", "εєԑ"), ("Γ", "Г"), ("Λ", "ЛɅ"), ("Π", "П"), ("π", "п"), ("Φ", "Ф"), ("φ", "фɸ"), ("ᴛ", "τт"), ("ʙ", "в"),
        ("ʜ", "н"), ("ᴍ", "м"),
    ]

    /// Single scalars for a letter with its accent, where the letter looks like another.
    private static let accented: [(base: String, alike: String)] = [
        ("E\u{300}", "Ѐ"), ("e\u{300}", "ѐ"), ("E\u{308}", "Ё"), ("e\u{308}", "ё"), ("I\u{308}", "ЇΪ"), ("i\u{308}", "їϊ"),
        ("K\u{301}", "Ќ"), ("k\u{301}", "ќ"), ("Y\u{306}", "Ў"), ("y\u{306}", "ў"), ("A\u{306}", "Ӑ"), ("a\u{306}", "ӑ"),
        ("A\u{308}", "Ӓ"), ("a\u{308}", "ӓ"), ("E\u{306}", "Ӗ"), ("e\u{306}", "ӗ"), ("O\u{308}", "Ӧ"), ("o\u{308}", "ӧ"),
        ("Y\u{304}", "Ӯ"), ("y\u{304}", "ӯ"), ("Y\u{308}", "ӰΫ"), ("y\u{308}", "ӱ"), ("Y\u{30B}", "Ӳ"), ("y\u{30B}", "ӳ"),
        ("A\u{301}", "Ά"), ("a\u{301}", "ά"), ("E\u{301}", "Έ"), ("ɛ\u{301}", "έ"), ("H\u{301}", "Ή"), ("n\u{301}", "ή"),
        ("I\u{301}", "Ί"), ("i\u{301}", "ί"), ("O\u{301}", "Ό"), ("o\u{301}", "ό"), ("Y\u{301}", "Ύ"), ("u\u{301}", "ύ"),
        ("u\u{308}", "ϋ"), ("i\u{308}\u{301}", "ΐ"), ("u\u{308}\u{301}", "ΰ"),
    ]
}
