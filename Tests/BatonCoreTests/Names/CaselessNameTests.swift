import BatonCore
import Testing

struct CaselessNameTests {
    @Test(arguments: [
        ("Küche", "KÜCHE"), ("Straße", "STRASSE"), ("Straße", "STRA\u{1E9E}E"), ("caf\u{E9}", "CAFE\u{301}"), ("ΣΊΣΥΦΟΣ", "σίσυφος"),
        ("\u{1FB4}", "\u{3B1}\u{345}\u{301}"), ("\u{130}", "i\u{307}"), ("\u{212A}", "k"), ("ǅ", "ǆ"), ("Ꭰ", "ꭰ"), ("", ""),
        ("Bad 2", "bad 2"),
    ])
    func `names of another case or form are the same`(one: String, other: String) {
        #expect(CaselessName(one) == CaselessName(other) && CaselessName(one).hashValue == CaselessName(other).hashValue)
    }

    @Test(arguments: [("Kuche", "Küche"), ("ı", "i"), ("Bad", "Bad "), ("a", "а"), ("ﬁ", "fl")])
    func `other names are others`(one: String, other: String) {
        #expect(CaselessName(one) != CaselessName(other))
    }
}
