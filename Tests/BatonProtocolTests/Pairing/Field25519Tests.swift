import BatonProtocol
import Testing

/// Arithmetic modulo 2^255 - 19, by the laws that it must keep.
@Suite struct Field25519Tests {
    private static let modulus: [UInt8] = [0xed] + [UInt8](repeating: 0xff, count: 30) + [0x7f]

    private func element(_ random: inout SystemRandomNumberGenerator) -> Field25519 {
        Field25519(bytes: (0..<32).map { _ in UInt8.random(in: 0...255, using: &random) })
    }

    @Test func `numbers are read modulo the prime and written in the smallest form`() {
        var above = Self.modulus
        #expect(Field25519(bytes: above) == Field25519(0))
        above[0] += 2
        #expect(Field25519(bytes: above) == Field25519(2))
        var below = Self.modulus
        below[0] -= 1
        #expect(Field25519(bytes: below).bytes == below)
        let high = [UInt8](repeating: 0, count: 31) + [0x80]
        #expect(Field25519(bytes: high) == Field25519(0), "the highest bit does not count")
    }

    @Test func `the laws of a field hold`() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            let (a, b, c) = (element(&random), element(&random), element(&random))
            #expect(a * (b + c) == a * b + a * c)
            #expect(a * b == b * a && (a * b) * c == a * (b * c))
            #expect(a + -a == Field25519(0))
            #expect(a * a.inverse == Field25519(1))
            #expect(Field25519(bytes: a.bytes) == a)
        }
    }

    @Test func `Elligator 2 always ends on the curve and takes a number and its negative to one point`() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<50 {
            let r = element(&random)
            let u = r.elligator2
            #expect(u == (-r).elligator2)
            // On the curve: u^3 + A u^2 + u is a square, so its own map through the square root exists;
            // a number times a square is a square exactly when the number is one.
            let right = (u * u + Field25519(486_662) * u + Field25519(1)) * u
            #expect(isSquare(right))
        }
    }

    @Test func `Elligator 2 gives the number that RFC 9380 derives for one`() {
        // -A / 3, and -A less that when it is not on the curve: worked out by hand with whole numbers.
        let v = -Field25519(486_662) * Field25519(3).inverse
        let other = -(v + Field25519(486_662))
        #expect([v, other].contains(Field25519(1).elligator2))
    }

    /// By Euler's criterion, with plain doubling and squaring.
    private func isSquare(_ number: Field25519) -> Bool {
        var power = Field25519(1)
        // (p - 1) / 2 = 2^254 - 10: all bits of 2^254 - 1 less nine.
        let exponent: [UInt8] = [0xf6] + [UInt8](repeating: 0xff, count: 30) + [0x3f]
        for byte in exponent.reversed() {
            for bit in (0..<8).reversed() {
                power = power * power
                if byte >> UInt8(bit) & 1 == 1 { power = power * number }
            }
        }
        return power == Field25519(1) || power == Field25519(0)
    }
}
