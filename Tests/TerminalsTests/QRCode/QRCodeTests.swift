import Terminals
import Testing

@Suite struct QRCodeTests {
    @Test func `a link becomes a QR code with its three corners`() throws {
        let code = try #require(QRCode("https://192.168.1.7:9443/#pair=AAAAAAAAAAAAAAAAAAAAAA&id=7Qm2k0Vx"))

        // A corner is a dark frame of seven, a light one of five, and a dark heart of three.
        for (x, y) in [(0, 0), (code.side - 7, 0), (0, code.side - 7)] {
            for i in 0..<7 { #expect(code.isDark(x + i, y) && code.isDark(x, y + i)) }
            #expect(!code.isDark(x + 1, y + 1) && code.isDark(x + 3, y + 3))
        }
        #expect(code.lines.count == (code.side + 5) / 2)
        #expect(code.lines.allSatisfy { $0.count == code.side + 4 })
    }

    @Test func `a text that is too long for a QR code gives none`() {
        #expect(QRCode(String(repeating: "x", count: 5_000)) == nil)
    }
}
