import QRCode
import Testing

@Suite struct QRCodeTests {
    @Test func `a link becomes a square with its three corners`() throws {
        let square = try #require(QRCode("https://192.168.1.7:9443/#pair=AAAAAAAAAAAAAAAAAAAAAA&id=7Qm2k0Vx"))

        // A corner is a dark frame of seven, a light one of five, and a dark heart of three.
        for (x, y) in [(0, 0), (square.side - 7, 0), (0, square.side - 7)] {
            for i in 0..<7 { #expect(square.isDark(x + i, y) && square.isDark(x, y + i)) }
            #expect(!square.isDark(x + 1, y + 1) && square.isDark(x + 3, y + 3))
        }
        #expect(square.lines.count == (square.side + 5) / 2)
        #expect(square.lines.allSatisfy { $0.count == square.side + 4 })
    }

    @Test func `what is too long for a square is none`() {
        #expect(QRCode(String(repeating: "x", count: 5_000)) == nil)
    }
}
