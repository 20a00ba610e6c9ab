/// Parses the title in a block of ICY metadata: `StreamTitle='It's Low';StreamUrl='';`, padded with zeros.
import BatonCore

enum ICYTitle {
    private static let key = Array("streamtitle='".utf8)
    private static let end = Array("';".utf8)

    /// The title; `nil` if the block names none, empty if it clears the title.
    ///
    /// A title ends at `';`, because it may contain apostrophes. A truncated block ends with its last apostrophe.
    static func title(in block: [UInt8]) -> String? {
        let block = block.prefix { $0 != 0 }
        guard let start = block.place(of: key, fold: true) else { return nil }
        var title = block[(start + key.count)...]
        if let end = title.place(of: end, fold: false) {
            title = title[..<end]
        } else if title.last == UInt8(ascii: "'") {
            title.removeLast()
        }
        return StationText.line(PlaylistText.text(of: Array(title)), to: StationText.streamTitleBytes)
    }
}

extension ArraySlice<UInt8> {
    /// The first position of this pattern. With `fold`, upper-case ASCII letters match a lower-case pattern.
    fileprivate func place(of pattern: [UInt8], fold: Bool) -> Int? {
        guard let first = pattern.first, count >= pattern.count else { return nil }
        func letter(_ byte: UInt8) -> UInt8 { fold && 0x41...0x5A ~= byte ? byte | 0x20 : byte }
        return (startIndex...endIndex - pattern.count).first { at in
            letter(self[at]) == first && zip(self[at...], pattern).allSatisfy { letter($0) == $1 }
        }
    }
}
