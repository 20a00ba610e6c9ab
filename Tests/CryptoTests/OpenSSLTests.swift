import BatonProtocol
import Crypto
import Testing

/// OpenSSL's primitives as we call them, against numbers that others have published.
@Suite struct OpenSSLTests {
    let openSSL = OpenSSL()

    @Test func `hashes are those of FIPS 180-4`() {
        #expect(openSSL.sha256(Array("abc".utf8)) == hex("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"))
        #expect(
            openSSL.sha512(Array("abc".utf8))
                == hex(
                    """
                    ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a
                    2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f
                    """))
    }

    @Test(arguments: [
        ("", "d41d8cd98f00b204e9800998ecf8427e"), ("abc", "900150983cd24fb0d6963f7d28e17f72"),
        ("12345678901234567890123456789012345678901234567890123456789012345678901234567890", "57edf4a22be3c955ac49da2e2107b67a"),
    ]) func `digests are those of RFC 1321`(text: String, digest: String) {
        #expect(openSSL.md5(Array(text.utf8)) == hex(digest))
    }

    @Test func `HMAC is that of RFC 4231`() {
        let key = Array("Jefe".utf8)
        let text = Array("what do ya want for nothing?".utf8)
        #expect(openSSL.hmacSHA256(text, key: key) == hex("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"))
        #expect(
            openSSL.hmacSHA512(text, key: key)
                == hex(
                    """
                    164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea250554
                    9758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737
                    """))
    }

    @Test func `HKDF is that of RFC 5869, test case 1`() {
        let output = openSSL.hkdfSHA256(
            hex("0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b"), salt: hex("000102030405060708090a0b0c"), info: hex("f0f1f2f3f4f5f6f7f8f9"),
            count: 42)

        #expect(output == hex("3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865"))
    }

    @Test func `X25519 is that of RFC 7748, section 6`() {
        let alice = hex("77076d0a7318a57d3c16c17251b26645df4d0f1c5c0a3f6d0f1c5c0a3f6d0f1c")
        let bob = hex("5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb")
        let base = [9] + [UInt8](repeating: 0, count: 31)
        let bobsShare = hex("de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f")

        #expect(openSSL.x25519(scalar: bob, point: base) == bobsShare)
        let shared = openSSL.x25519(scalar: alice, point: bobsShare)
        #expect(shared != nil && shared == openSSL.x25519(scalar: bob, point: openSSL.x25519(scalar: alice, point: base)!))
    }

    @Test func `what was sealed opens only unchanged and under its own key and nonce`() throws {
        let key = openSSL.random(32)
        let nonce = [UInt8](repeating: 0, count: 12)
        let plain = openSSL.random(32)

        let sealed = openSSL.seal(plain, key: key, nonce: nonce)

        #expect(sealed.count == 48)
        #expect(openSSL.open(sealed, key: key, nonce: nonce) == plain)
        for place in sealed.indices {
            var changed = sealed
            changed[place] ^= 1
            #expect(openSSL.open(changed, key: key, nonce: nonce) == nil)
        }
        #expect(openSSL.open(sealed, key: openSSL.random(32), nonce: nonce) == nil)
        #expect(openSSL.open(sealed, key: key, nonce: [1] + nonce.dropFirst()) == nil)
        #expect(openSSL.open([], key: key, nonce: nonce) == nil)
    }

    @Test func `random bytes differ`() {
        #expect(openSSL.random(32) != openSSL.random(32))
        #expect(openSSL.random(0).isEmpty)
    }
}
