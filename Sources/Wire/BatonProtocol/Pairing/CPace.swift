/// CPace with X25519 and SHA-512, as draft-irtf-cfrg-cpace defines it for an initiator and a responder. Two sides that know the same short
/// code compute the same key. A side that does not know it learns nothing from an attempt, except that one guess was wrong.
///
/// Functions from bytes to bytes. `PairingExchange` and the hub decide on the order of steps and on who may try. The names of the arguments
/// are the draft's.
package struct CPace: Sendable {
    private let cryptography: any Cryptography

    /// The group's name, and the block size of SHA-512.
    private static let dsi = Array("CPace255".utf8)
    private static let blockBytes = 128

    /// The functions with one library of cryptography, which brings the hashes and the curve.
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

    /// The parts one after the other, each with its length before it, so that no two lists of parts give the same bytes.
    package static func joined(_ parts: [UInt8]...) -> [UInt8] { parts.flatMap(prefixed) }

    /// The code fills the first block whatever its length, so that the hash takes the same time.
    package static func generatorString(prs: [UInt8], ci: [UInt8], sid: [UInt8]) -> [UInt8] {
        let padding = max(0, blockBytes - 1 - prefixed(prs).count - prefixed(dsi).count)
        return joined(dsi, prs, [UInt8](repeating: 0, count: padding), ci, sid)
    }

    /// The generator: a point that only sides with the code can compute. `ci` names the channel, and `sid` the attempt.
    package func generator(prs: [UInt8], ci: [UInt8], sid: [UInt8]) -> [UInt8] {
        let hash = cryptography.sha512(Self.generatorString(prs: prs, ci: ci, sid: sid))
        return Field25519(bytes: Array(hash.prefix(32))).elligator2.bytes
    }

    /// A share, from a random number and the generator; or the secret point, from the same number and the other side's share. `nil` for the
    /// neutral element, at which the draft requires to stop.
    package func multiply(_ scalar: [UInt8], _ point: [UInt8]) -> [UInt8]? {
        cryptography.x25519(scalar: scalar, point: point)
    }

    /// The bytes that both sides have sent, which go into the key. The draft's order for an initiator and a responder is fixed.
    package static func transcript(ya: [UInt8], ada: [UInt8], yb: [UInt8], adb: [UInt8]) -> [UInt8] {
        joined(ya, ada) + joined(yb, adb)
    }

    /// The key that both sides share at the end.
    package func sessionKey(sid: [UInt8], secret: [UInt8], transcript: [UInt8]) -> [UInt8] {
        cryptography.sha512(Self.joined(Self.dsi + Array("_ISK".utf8), sid, secret) + transcript)
    }

    /// The tag with which one side proves that it has the key, over the bytes that it has sent.
    package func tag(sid: [UInt8], sessionKey: [UInt8], share: [UInt8], ad: [UInt8]) -> [UInt8] {
        let key = cryptography.sha512(Array("CPaceMac".utf8) + sid + sessionKey)
        return cryptography.hmacSHA512(Self.joined(share, ad), key: key)
    }
}
