import BatonCore
import Testing

@testable import MPD

/// A press means what its remote was told, as long as that has just ended.
@Suite struct PressGuardTests {
    private let first = EntryID(1)
    private let second = EntryID(2)

    private func told(_ entry: EntryID?) -> PressGuard {
        var guarding = PressGuard()
        guarding.tell(entry)
        return guarding
    }

    @Test func `a song that has just ended is meant`() {
        #expect(told(first).meant(current: second, sinceUs: 5_000_000, nowUs: 5_999_999) == first)
    }

    @Test func `after a second what plays is meant`() {
        #expect(told(first).meant(current: second, sinceUs: 5_000_000, nowUs: 6_000_000) == second)
    }

    @Test func `a blind button means what plays`() {
        #expect(told(nil).meant(current: second, sinceUs: 5_000_000, nowUs: 5_000_001) == second)
        #expect(told(nil).meant(current: nil, sinceUs: 5_000_000, nowUs: 5_000_001) == nil)
    }

    @Test func `a song that still plays is meant`() {
        #expect(told(first).meant(current: first, sinceUs: 5_000_000, nowUs: 5_000_001) == first)
    }

    @Test func `a second press counts after the first one was answered`() {
        var guarding = told(first)
        #expect(guarding.meant(current: first, sinceUs: 0, nowUs: 9_000_000) == first)
        guarding.tell(second)

        #expect(guarding.meant(current: second, sinceUs: 9_000_000, nowUs: 9_000_001) == second)
    }
}
