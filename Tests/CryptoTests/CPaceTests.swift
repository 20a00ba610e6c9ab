import BatonProtocol
import Crypto
import Testing

/// CPace against the draft's own numbers, with OpenSSL below it.
@Suite struct CPaceTests {
    let cpace = CPace(OpenSSL())

    @Test func `the string behind the generator is the draft's`() {
        let string = CPace.generatorString(prs: CPaceVectors.prs, ci: CPaceVectors.ci, sid: CPaceVectors.sid)

        #expect(string == CPaceVectors.generatorString)
    }

    @Test func `generator, shares, secret point and key are the draft's`() {
        let v = CPaceVectors.self
        #expect(cpace.generator(prs: v.prs, ci: v.ci, sid: v.sid) == v.generator)
        #expect(cpace.multiply(v.ya, v.generator) == v.shareA)
        #expect(cpace.multiply(v.yb, v.generator) == v.shareB)
        #expect(cpace.multiply(v.ya, v.shareB) == v.secret)
        #expect(cpace.multiply(v.yb, v.shareA) == v.secret)

        let transcript = CPace.transcript(ya: v.shareA, ada: v.ada, yb: v.shareB, adb: v.adb)

        #expect(cpace.sessionKey(sid: v.sid, secret: v.secret, transcript: transcript) == v.sessionKey)
    }

    @Test(arguments: CPaceVectors.points.indices)
    func `a point of low order gives nothing, and a spelling out of range gives what the draft says`(index: Int) {
        let (point, product) = CPaceVectors.points[index]

        #expect(cpace.multiply(CPaceVectors.scalar, point) == product)
    }

    @Test func `lengths are written in seven bits each`() {
        #expect(CPace.prefixed([]) == [0])
        #expect(CPace.prefixed([UInt8](0..<127)).prefix(2) == [0x7f, 0])
        #expect(CPace.prefixed([UInt8](0..<128)).prefix(3) == [0x80, 0x01, 0])
    }
}
