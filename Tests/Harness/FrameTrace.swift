package import BatonSeams
import Crypto

/// All frames that a hub writes in a simulated life, as one number, so that two builds can be compared byte by byte. With `keepsText` also
/// as lines, for people who look for the first difference.
@Loop
package final class FrameTrace {
    /// How many frames there were.
    package private(set) var count = 0
    package private(set) var lines: [String] = []
    private let keepsText: Bool
    private var links = 0
    private var digest: [UInt8] = []
    private let hash = OpenSSL()

    package init(keepsText: Bool = false) { self.keepsText = keepsText }

    /// The number is that of all frames in their order, each with its connection.
    package var number: String { digest.prefix(8).map { String(UInt16($0) + 0x100, radix: 16).dropFirst() }.joined() }

    /// The number of a new connection.
    func enter() -> Int {
        links += 1
        return links
    }

    func add(_ bytes: [UInt8], of link: Int) {
        count += 1
        digest = hash.sha256(digest + Array("\(link) ".utf8) + bytes)
        if keepsText { lines.append("\(link) " + String(decoding: bytes, as: UTF8.self)) }
    }
}
