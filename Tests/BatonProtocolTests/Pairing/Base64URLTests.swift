import BatonProtocol
import Testing

@Suite struct Base64URLTests {
    @Test(arguments: [([], ""), ([0], "AA"), ([0xfb, 0xff], "-_8"), ([1, 2, 3], "AQID")] as [([UInt8], String)])
    func `bytes become text and come back`(bytes: [UInt8], text: String) {
        #expect(Base64URL.text(bytes) == text)
        #expect(Base64URL.bytes(text) == bytes)
    }

    @Test(arguments: ["A", "AB", "AA==", "A+", "A/", "A ", "AAAAA", "ÄA"])
    func `any other spelling is refused`(text: String) {
        #expect(Base64URL.bytes(text) == nil)
    }
}
