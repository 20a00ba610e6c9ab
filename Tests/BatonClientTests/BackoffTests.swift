import BatonClient
import BatonCore
import Testing

@Suite struct `Coming back is tried ever more slowly` {
    /// Draws the longest wait that is possible.
    private struct Longest: RandomNumberGenerator {
        func next() -> UInt64 { .max }
    }

    private func longestWaits(_ count: Int, isVisible: Bool) -> [Duration] {
        var backoff = Backoff(isVisible: isVisible)
        var random = Longest()
        return (0..<count).map { _ in backoff.next(random: &random) }
    }

    @Test func `the steps grow to half a minute and stay there`() {
        #expect(
            longestWaits(10, isVisible: false)
                == [250, 500, 1000, 2000, 4000, 8000, 15_000, 30_000, 30_000, 30_000].map(Duration.milliseconds))
    }

    @Test func `a screen that somebody looks at waits at most eight seconds`() {
        #expect(longestWaits(8, isVisible: true) == [250, 500, 1000, 2000, 4000, 8000, 8000, 8000].map(Duration.milliseconds))
    }

    @Test(arguments: 0..<100 as Range<UInt64>) func `a wait is a random part of its step`(seed: UInt64) {
        var random = SeededGenerator(seed)
        var backoff = Backoff(isVisible: false)

        for step in [250, 500, 1000, 2000, 4000, 8000, 15_000, 30_000, 30_000] {
            let wait = backoff.next(random: &random)
            #expect(wait >= .zero && wait <= .milliseconds(step), "seed \(seed)")
        }
    }

    @Test func `clients that lost the same hub do not come back in step`() {
        var random = SeededGenerator(1)
        let first = (0..<100).map { _ in
            var backoff = Backoff(isVisible: false)
            return backoff.next(random: &random)
        }

        #expect(Set(first).count > 50)
        #expect(first.contains { $0 < .milliseconds(80) } && first.contains { $0 > .milliseconds(170) })
    }

    @Test func `what the hub asks for is waited in any case`() {
        var random = SeededGenerator(3)
        var backoff = Backoff(isVisible: false)

        for _ in 0..<20 { #expect(backoff.next(atLeastMs: 5000, random: &random) >= .seconds(5)) }
    }

    @Test func `after a good connection it begins anew`() {
        var random = Longest()
        var backoff = Backoff(isVisible: false)
        for _ in 0..<5 { _ = backoff.next(random: &random) }

        backoff.reset()

        #expect(backoff.next(random: &random) == .milliseconds(250))
    }
}

@Suite struct `A key is of one press only` {
    @Test func `ten thousand keys are ten thousand`() {
        let keys = (0..<10_000).map { _ in Keys.random() }

        #expect(Set(keys).count == keys.count)
    }

    @Test(arguments: [4, 10, 16]) func `a key has the length and the letters that the protocol takes`(length: Int) {
        let key = Keys.random(length: length)

        #expect(key.count == length)
        #expect(
            key.utf8.allSatisfy { $0 == 45 || $0 == 95 || Character(UnicodeScalar($0)).isLetter || Character(UnicodeScalar($0)).isNumber })
    }
}
