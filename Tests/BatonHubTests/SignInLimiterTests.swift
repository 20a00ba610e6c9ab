import BatonCore
import BatonSeams
import Testing

@testable import BatonHub
@testable import BatonKernel

/// How often a password may be tried. BT-USR-002
@Suite struct `The limiter of signing in` {
    @Test func `lets five wrong passwords a minute through for one name from one address`() {
        let limiter = TriedLimiter()
        for second in 0..<5 { #expect(limiter.tries("anna", "10.0.0.1", at: second)) }

        #expect(!limiter.tries("anna", "10.0.0.1", at: 5))
        #expect(limiter.tries("anna", "10.0.0.2", at: 5), "another address")
        #expect(limiter.tries("ben", "10.0.0.1", at: 5), "another name")
        #expect(!limiter.tries("anna", "10.0.0.1", at: 59))
        #expect(limiter.tries("anna", "10.0.0.1", at: 61))
    }

    @Test func `lets twenty an hour through from one address, whatever the names`() {
        let limiter = TriedLimiter()
        for number in 0..<20 { #expect(limiter.tries("user\(number)", "2001:db8::\(number)", at: number)) }

        #expect(!limiter.tries("another", "2001:db8::ffff", at: 30), "one network of IPv6 is one address")
        #expect(limiter.tries("another", "2001:db8:1::1", at: 30))
        #expect(!limiter.tries("another", "2001:db8::1", at: 3_599))
        #expect(limiter.tries("another", "2001:db8::1", at: 3_601))
    }

    @Test func `forgets the failures of a name whose owner came in`() {
        let limiter = TriedLimiter()
        for _ in 0..<4 { #expect(limiter.tries("anna", "10.0.0.1", at: 0)) }
        guard case .success(let attempt) = limiter.value.begin("anna", from: "10.0.0.1", atUs: 0) else {
            Issue.record("the fifth attempt was refused")
            return
        }
        limiter.value.succeed(attempt)

        for _ in 0..<5 { #expect(limiter.tries("anna", "10.0.0.1", at: 1)) }
    }

    @Test func `counts attempts that are still computed`() {
        let limiter = TriedLimiter()
        var attempts: [SignInLimiter.Attempt] = []
        for _ in 0..<5 { if case .success(let attempt) = limiter.value.begin("anna", from: "a", atUs: 0) { attempts.append(attempt) } }

        #expect(!limiter.tries("anna", "a", at: 0))
        limiter.value.withdraw(attempts[0])
        #expect(limiter.tries("anna", "a", at: 0))
    }

    @Test func `remembers only so many addresses`() {
        let limiter = TriedLimiter()
        for number in 0..<20_000 { _ = limiter.tries("n", "10.\(number / 65_536).\(number / 256 % 256).\(number % 256)", at: 0) }

        #expect(limiter.value.count <= SignInLimiter.mostCounted + 2)
    }
}

/// A limiter that a test can try again and again.
private final class TriedLimiter {
    var value = SignInLimiter()

    /// A wrong password, unless it has to wait.
    func tries(_ name: String, _ address: String, at second: Int) -> Bool {
        if case .success = value.begin(name, from: address, atUs: Microseconds(second) * 1_000_000) { true } else { false }
    }
}
