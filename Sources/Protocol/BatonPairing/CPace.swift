/// CPace with X25519 and SHA-512, as draft-irtf-cfrg-cpace gives it for an initiator and a responder:
/// two sides that know the same short code come to the same key, and a side that does not
/// know it learns nothing from an attempt, except that one guess was wrong.
///
/// Functions from bytes to bytes; the order of steps and who may try is `PairingExchange`'s and the
/// hub's affair. The names of the arguments are the draft's.
package struct CPace: Sendable {
    private let cryptography: any Cryptography

    /// The group's name, and how many bytes SHA-512 takes at once.
    private static let dsi = Array("CPace255".utf8)
    private static let blockBytes = 128

    package init(_ cryptography: any Cryptography) { self.cryptography = cryptography }

    /// The length in LEB128, then the bytes.
    package static func prefixed(_ bytes: [UInt8]) -> [UInt8] {
        var count = bytes.count
        var length: [UInt8] = []
        repeat {
            length.append(UInt8(count & 0x7f) | (count > 0x7f ? 0x80 : 0))
            count >>= 7
        } while count > 0
        return length + bytes
    }

    package static func joined(_ parts: [UInt8]...) -> [UInt8] { parts.flatMap(prefixed) }

    /// The code fills the first block whatever its length, so that hashing it takes the same time.
    package static func generatorString(prs: [UInt8], ci: [UInt8], sid: [UInt8]) -> [UInt8] {
        let padding = max(0, blockBytes - 1 - prefixed(prs).count - prefixed(dsi).count)
        return joined(dsi, prs, [UInt8](repeating: 0, count: padding), ci, sid)
    }

    package func generator(prs: [UInt8], ci: [UInt8], sid: [UInt8]) -> [UInt8] {
        let hash = cryptography.sha512(Self.generatorString(prs: prs, ci: ci, sid: sid))
        return Field25519(bytes: Array(hash.prefix(32))).elligator2.bytes
    }

    /// A share, from a random number and the generator; or the secret point, from the same number and
    /// the other side's share. `nil` for the neutral element, at which the draft says to stop.
    package func multiply(_ scalar: [UInt8], _ point: [UInt8]) -> [UInt8]? {
        cryptography.x25519(scalar: scalar, point: point)
    }

    package static func transcript(ya: [UInt8], ada: [UInt8], yb: [UInt8], adb: [UInt8]) -> [UInt8] {
        joined(ya, ada) + joined(yb, adb)
    }

    /// The key that both sides have at the end.
    package func sessionKey(sid: [UInt8], secret: [UInt8], transcript: [UInt8]) -> [UInt8] {
        cryptography.sha512(Self.joined(Self.dsi + Array("_ISK".utf8), sid, secret) + transcript)
    }

    /// What one side shows to prove that it has the key, over what it has sent.
    package func tag(sid: [UInt8], sessionKey: [UInt8], share: [UInt8], ad: [UInt8]) -> [UInt8] {
        let key = cryptography.sha512(Array("CPaceMac".utf8) + sid + sessionKey)
        return cryptography.hmacSHA512(Self.joined(share, ad), key: key)
    }
}
