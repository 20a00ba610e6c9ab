/// The title in a block of ICY metadata: `StreamTitle='It's Low';StreamUrl='';`, filled up with zeros.
import BatonCore

enum ICYTitle {
    private static let key = Array("streamtitle='".utf8)
    private static let end = Array("';".utf8)

    /// `nil` when the block names no title; empty when it says that there is none now.
    ///
    /// A title ends at `';`, since an apostrophe alone may stand in it. A block that is cut off ends with its last apostrophe.
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
    /// Where this pattern first stands; with `fold`, capital letters of the slice are taken as small ones.
    fileprivate func place(of pattern: [UInt8], fold: Bool) -> Int? {
        guard let first = pattern.first, count >= pattern.count else { return nil }
        func letter(_ byte: UInt8) -> UInt8 { fold && 0x41...0x5A ~= byte ? byte | 0x20 : byte }
        return (startIndex...endIndex - pattern.count).first { at in
            letter(self[at]) == first && zip(self[at...], pattern).allSatisfy { letter($0) == $1 }
        }
    }
}
