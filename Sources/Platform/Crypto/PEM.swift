/// The PEM format: DER as base64, in lines between two dashed ones.
package enum PEM {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    package static func text(_ label: String, _ der: [UInt8]) -> String {
        var letters: [UInt8] = []
        for start in stride(from: 0, to: der.count, by: 3) {
            let three = (0..<3).map { start + $0 < der.count ? UInt32(der[start + $0]) : 0 }
            let bits = three[0] << 16 | three[1] << 8 | three[2]
            for place in 0..<4 {
                letters.append(start + place > der.count ? UInt8(ascii: "=") : alphabet[Int(bits >> UInt32(18 - 6 * place) & 63)])
            }
        }
        let lines = stride(from: 0, to: letters.count, by: 64).map {
            String(decoding: letters[$0..<min($0 + 64, letters.count)], as: UTF8.self)
        }
        return "-----BEGIN \(label)-----\n" + lines.joined(separator: "\n") + "\n-----END \(label)-----\n"
    }

    /// `nil` if there is no block with this label.
    package static func der(_ label: String, in text: String) -> [UInt8]? {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: true)
        guard let first = lines.firstIndex(of: "-----BEGIN \(label)-----"), let last = lines.firstIndex(of: "-----END \(label)-----"),
            first < last
        else { return nil }
        var bits: UInt32 = 0
        var count = 0
        var der: [UInt8] = []
        for letter in lines[(first + 1)..<last].joined().utf8 where letter != UInt8(ascii: "=") {
            guard let value = alphabet.firstIndex(of: letter) else { return nil }
            bits = bits << 6 | UInt32(value)
            count += 6
            if count >= 8 {
                count -= 8
                der.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
            }
        }
        return der
    }
}
