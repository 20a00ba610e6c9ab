import CQRencode

/// A pairing code as a square that cameras read, drawn in a terminal.
///
/// libqrencode works out the modules; its object lives for one call. Nothing is kept by it.
package struct QRCode: Equatable, Sendable {
    /// How many modules a side has, without the margin.
    package let side: Int
    private let dark: [Bool]

    /// `nil` when the text is longer than such a square holds.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard let code = unsafe baton_QRcode_encodeData(Int32(bytes.count), bytes, 0, QR_ECLEVEL_M) else { return nil }
        defer { unsafe baton_QRcode_free(code) }
        let side = unsafe Int(code.pointee.width)
        // The lowest bit of each byte is the module; the others say what it is for.
        dark = (0..<side * side).map { unsafe code.pointee.data[$0] & 1 == 1 }
        self.side = side
    }

    package func isDark(_ x: Int, _ y: Int) -> Bool {
        (0..<side).contains(x) && (0..<side).contains(y) && dark[y * side + x]
    }

    /// Two modules in each character, light on dark as terminals are, with a margin of two.
    package var lines: [String] {
        stride(from: -2, to: side + 2, by: 2).map { y in
            String(
                (-2..<side + 2).map { x -> Character in
                    switch (isDark(x, y), isDark(x, y + 1)) {
                    case (true, true): " "
                    case (true, false): "▄"
                    case (false, true): "▀"
                    case (false, false): "█"
                    }
                })
        }
    }
}
