import CQRencode

/// A pairing code as a QR code, drawn in a terminal.
///
/// libqrencode computes the modules; its object lives for one call.
package struct QRCode: Equatable, Sendable {
    /// Number of modules on a side, without the margin.
    package let side: Int
    private let dark: [Bool]

    /// `nil` if the text is too long for a QR code.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard let code = unsafe baton_QRcode_encodeData(Int32(bytes.count), bytes, 0, QR_ECLEVEL_M) else { return nil }
        defer { unsafe baton_QRcode_free(code) }
        let side = unsafe Int(code.pointee.width)
        // The lowest bit of each byte is the module; the other bits tell its purpose.
        dark = (0..<side * side).map { unsafe code.pointee.data[$0] & 1 == 1 }
        self.side = side
    }

    package func isDark(_ x: Int, _ y: Int) -> Bool {
        (0..<side).contains(x) && (0..<side).contains(y) && dark[y * side + x]
    }

    /// Lines with two modules in each character, light on dark as in terminals, with a margin of two.
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
