/// Which names people would take for one another.
import Testing

@testable import BatonCore

@Suite struct NameSkeletonTests {
    @Test(
        arguments: [
            ("paul", "p\u{430}ul"), ("Paul", "РАUL"), ("bob", "ВОВ"), ("Zoe\u{308}", "Zo\u{451}"), ("Zo\u{EB}", "Zo\u{451}"),
            ("Ioannis", "\u{399}\u{3BF}annis"), ("Alice", "A1ice"), ("Ian", "lan"), ("OTTO", "0TT0"), ("Anna Kern", "Anna\u{A0}Kern"),
            ("paul", "ｐａｕｌ"), ("paul", "\u{1D429}\u{1D41A}\u{1D42E}\u{1D425}"), ("Мария", "Mария"), ("Ανα", "Aνa"),
            ("\u{2764}", "\u{2764}\u{FE0F}"),
        ])
    func `names that look alike have skeletons that meet`(one: String, other: String) {
        #expect(NameSkeleton(one).isLike(NameSkeleton(other)))
        #expect(NameSkeleton(other).isLike(NameSkeleton(one)))
    }

    @Test(
        arguments: [
            ("paul", "paula"), ("Ian", "Lan"), ("Arnie", "Amie"), ("Вова", "Bob"), ("Ольга", "Olga"), ("Zoe", "Zo\u{EB}"),
            ("Νίκος", "Nikos"),
            ("山田", "山本"), ("guest 1010", "guest 1001"),
        ])
    func `names that differ to the eye are left alone`(one: String, other: String) {
        #expect(!NameSkeleton(one).isLike(NameSkeleton(other)))
    }

    @Test func `no letter of the table looks like one that looks like another`() {
        for (letter, base) in LookalikeTable.letters {
            for scalar in base.unicodeScalars { #expect(LookalikeTable.letters[scalar] == nil, "\(letter) \(base)") }
        }
    }
}
