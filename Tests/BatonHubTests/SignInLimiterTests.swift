import BatonSeams
import Testing

@testable import BatonHub
@testable import BatonKernel

/// How often a password may be tried. BT-USR-002
@Suite struct `The brake of signing in` {
    @Test func `lets five wrong passwords a minute through for one name from one address`() {
        let brake = TriedBrake()
        for second in 0..<5 { #expect(brake.tries("anna", "10.0.0.1", at: second)) }

        #expect(!brake.tries("anna", "10.0.0.1", at: 5))
        #expect(brake.tries("anna", "10.0.0.2", at: 5), "another address")
        #expect(brake.tries("ben", "10.0.0.1", at: 5), "another name")
        #expect(!brake.tries("anna", "10.0.0.1", at: 59))
        #expect(brake.tries("anna", "10.0.0.1", at: 61))
    }

    @Test func `lets twenty an hour through from one address, whatever the names`() {
        let brake = TriedBrake()
        for number in 0..<20 { #expect(brake.tries("user\(number)", "2001:db8::\(number)", at: number)) }

        #expect(!brake.tries("another", "2001:db8::ffff", at: 30), "one network of IPv6 is one address")
        #expect(brake.tries("another", "2001:db8:1::1", at: 30))
        #expect(!brake.tries("another", "2001:db8::1", at: 3_599))
        #expect(brake.tries("another", "2001:db8::1", at: 3_601))
    }

    @Test func `forgets the failures of a name whose owner came in`() {
        let brake = TriedBrake()
        for _ in 0..<4 { #expect(brake.tries("anna", "10.0.0.1", at: 0)) }
        guard case .success(let attempt) = brake.value.begin("anna", from: "10.0.0.1", atUs: 0) else {
            Issue.record("the fifth attempt was refused")
            return
        }
        brake.value.succeed(attempt)

        for _ in 0..<5 { #expect(brake.tries("anna", "10.0.0.1", at: 1)) }
    }

    @Test func `counts attempts that are still computed`() {
        let brake = TriedBrake()
        var attempts: [SignInBrake.Attempt] = []
        for _ in 0..<5 { if case .success(let attempt) = brake.value.begin("anna", from: "a", atUs: 0) { attempts.append(attempt) } }

        #expect(!brake.tries("anna", "a", at: 0))
        brake.value.withdraw(attempts[0])
        #expect(brake.tries("anna", "a", at: 0))
    }

    @Test func `remembers only so many addresses`() {
        let brake = TriedBrake()
        for number in 0..<20_000 { _ = brake.tries("n", "10.\(number / 65_536).\(number / 256 % 256).\(number % 256)", at: 0) }

        #expect(brake.value.count <= SignInBrake.mostCounted + 2)
    }
}

/// A brake that a test can try again and again.
private final class TriedBrake {
    var value = SignInBrake()

    /// A wrong password, unless it has to wait.
    func tries(_ name: String, _ address: String, at second: Int) -> Bool {
        if case .success = value.begin(name, from: address, atUs: Int64(second) * 1_000_000) { true } else { false }
    }
}
