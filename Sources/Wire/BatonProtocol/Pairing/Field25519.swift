/// A number modulo 2^255 - 19, and Elligator 2 over it, which maps a hash to a point of Curve25519 and which the curve's libraries lack.
///
/// Five limbs of 51 bits, so that sums of products do not overflow. Every path takes the same steps whatever the number is, because it
/// comes from a secret.
package struct Field25519: Equatable, Sendable {
    private var limbs: [5 of UInt64]

    private static let mask: UInt64 = 1 << 51 - 1

    private init(_ limbs: [5 of UInt64]) { self.limbs = limbs }

    /// A small number, as a constant of a formula.
    package init(_ small: UInt64) { limbs = [small, 0, 0, 0, 0] }

    /// 32 little-endian bytes; the highest bit is ignored (RFC 7748, section 5).
    package init(bytes: [UInt8]) {
        precondition(bytes.count == 32, "A number of this field has 32 bytes.")
        limbs = InlineArray { limb in
            var value: UInt64 = 0
            let first = limb * 51
            for byte in first / 8...min(31, (first + 50) / 8) {
                let shift = byte * 8 - first
                value |= shift >= 0 ? UInt64(bytes[byte]) << UInt64(shift) : UInt64(bytes[byte]) >> UInt64(-shift)
            }
            return value & Self.mask
        }
    }

    /// The unique smallest form, in little-endian order.
    package var bytes: [UInt8] {
        var value = carried.carried.limbs
        // Adding 19 overflows 2^255 exactly when the number is not below the modulus.
        var carry = (value[0] + 19) >> 51
        for index in 1..<5 { carry = (value[index] + carry) >> 51 }
        value[0] += 19 * carry
        for index in 0..<4 {
            value[index + 1] += value[index] >> 51
            value[index] &= Self.mask
        }
        value[4] &= Self.mask
        return (0..<32).map { byte in
            let limb = byte * 8 / 51
            let shift = byte * 8 % 51
            var bits = value[limb] >> UInt64(shift)
            if shift > 43, limb < 4 { bits |= value[limb + 1] << UInt64(51 - shift) }
            return UInt8(truncatingIfNeeded: bits)
        }
    }

    /// Equality of the numbers, whatever form their limbs have.
    package static func == (a: Field25519, b: Field25519) -> Bool { a.bytes == b.bytes }

    private var carried: Field25519 {
        var value = limbs
        for index in 0..<4 {
            value[index + 1] += value[index] >> 51
            value[index] &= Self.mask
        }
        value[0] += 19 * (value[4] >> 51)
        value[4] &= Self.mask
        return Field25519(value)
    }

    package static func + (a: Field25519, b: Field25519) -> Field25519 {
        Field25519(InlineArray { a.limbs[$0] + b.limbs[$0] }).carried
    }

    package static prefix func - (a: Field25519) -> Field25519 {
        // Twice the modulus, so that no limb becomes negative.
        let a = a.carried.limbs
        return Field25519(InlineArray { ($0 == 0 ? 0xf_ffff_ffff_ffda : 0xf_ffff_ffff_fffe) - a[$0] }).carried
    }

    package static func * (a: Field25519, b: Field25519) -> Field25519 {
        var sums: [5 of UInt128] = [0, 0, 0, 0, 0]
        for i in 0..<5 {
            for j in 0..<5 {
                let product = UInt128(a.limbs[i]) * UInt128(b.limbs[j])
                // 2^255 equals 19 modulo the prime.
                if i + j < 5 { sums[i + j] += product } else { sums[i + j - 5] += product * 19 }
            }
        }
        var limbs: [5 of UInt64] = [0, 0, 0, 0, 0]
        var carry: UInt128 = 0
        for index in 0..<5 {
            let sum = sums[index] + carry
            limbs[index] = UInt64(truncatingIfNeeded: sum) & mask
            carry = sum >> 51
        }
        limbs[0] += 19 * UInt64(carry)
        return Field25519(limbs).carried
    }

    /// Raises to a public power, in little-endian order.
    private func power(_ exponent: [UInt8]) -> Field25519 {
        var result = Field25519(1)
        for byte in exponent.reversed() {
            for bit in (0..<8).reversed() {
                result = result * result
                if byte >> UInt8(bit) & 1 == 1 { result = result * self }
            }
        }
        return result
    }

    private static func power(of last: UInt8, high: UInt8) -> [UInt8] { [last] + [UInt8](repeating: 0xff, count: 30) + [high] }

    /// The inverse: the power of the modulus minus two.
    package var inverse: Field25519 { power(Self.power(of: 0xeb, high: 0x7f)) }

    /// 1 for a square, -1 for any other number but zero: the power of half of the modulus minus one.
    private var character: Field25519 { power(Self.power(of: 0xf6, high: 0x3f)) }

    /// One of two values, chosen without a branch.
    private static func choose(_ first: Field25519, or second: Field25519, ifSame a: Field25519, and b: Field25519) -> Field25519 {
        let difference = zip(a.bytes, b.bytes).reduce(UInt64(0)) { $0 | UInt64($1.0 ^ $1.1) }
        let keepsFirst = (difference &- 1) >> 63 &* UInt64.max
        return Field25519(InlineArray { first.limbs[$0] & keepsFirst | second.limbs[$0] & ~keepsFirst })
    }

    /// The u-coordinate on Curve25519 to which Elligator 2 maps this number (RFC 9380, section 6.7.1, with 2 as the non-square).
    package var elligator2: Field25519 {
        let a = Field25519(486_662)
        let v = -a * (Field25519(1) + Field25519(2) * self * self).inverse
        let square = (v * v + a * v + Field25519(1)) * v
        return Self.choose(v, or: -(v + a), ifSame: square.character, and: Field25519(1))
    }
}
