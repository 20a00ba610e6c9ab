/// The header of one file in a tar archive, in the form `ustar` of POSIX: as much of it as backups need. A header with another kind
/// of entry, or one that was changed, is refused.
struct TarHeader: Equatable {
    static let blockBytes = 512
    /// Behind the last file.
    static let end = [UInt8](repeating: 0, count: 2 * blockBytes)
    private static let mostBytes: Int64 = 1 << 33

    var name: String
    var bytes: Int64

    /// How many zeros follow the content.
    var padding: Int { Int((Int64(Self.blockBytes) - bytes % Int64(Self.blockBytes)) % Int64(Self.blockBytes)) }

    init(name: String, bytes: Int64) {
        self.name = name
        self.bytes = bytes
    }

    /// `nil` for a name or a length that the form cannot hold.
    var encoded: [UInt8]? {
        guard let (folder, file) = Self.split(name), (0..<Self.mostBytes).contains(bytes) else { return nil }
        var block = [UInt8](repeating: 0, count: Self.blockBytes)
        func put(_ text: String, at place: Int) { block.replaceSubrange(place..<place + text.utf8.count, with: text.utf8) }
        put(file, at: 0)
        put("0000600", at: 100)
        put("0000000", at: 108)
        put("0000000", at: 116)
        put(Self.octal(bytes, digits: 11), at: 124)
        put("00000000000", at: 136)
        put("        ", at: 148)
        put("0", at: 156)
        put("ustar", at: 257)
        put("00", at: 263)
        put(folder, at: 345)
        put(Self.octal(Self.sum(of: block), digits: 6) + "\0 ", at: 148)
        return block
    }

    /// `nil` for a block that is no header of a plain file.
    init?(_ block: ArraySlice<UInt8>) {
        let block = Array(block)
        guard block.count == Self.blockBytes, block[257..<262].elementsEqual("ustar".utf8), block[156] == UInt8(ascii: "0"),
            let sum = Self.number(block[148..<156]), let bytes = Self.number(block[124..<136]), (0..<Self.mostBytes).contains(bytes)
        else { return nil }
        var plain = block
        plain.replaceSubrange(148..<156, with: "        ".utf8)
        guard sum == Self.sum(of: plain), let file = Self.text(block[0..<100]), let folder = Self.text(block[345..<500]) else { return nil }
        name = folder.isEmpty ? file : "\(folder)/\(file)"
        self.bytes = bytes
    }

    /// Long names have their folder in a field of its own.
    private static func split(_ name: String) -> (folder: String, file: String)? {
        if name.utf8.count <= 100 { return ("", name) }
        guard let slash = name.lastIndex(of: "/") else { return nil }
        let parts = (folder: String(name[..<slash]), file: String(name[name.index(after: slash)...]))
        return parts.folder.utf8.count <= 155 && parts.file.utf8.count <= 100 ? parts : nil
    }

    private static func octal(_ number: Int64, digits: Int) -> String {
        let text = String(number, radix: 8)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }

    private static func number(_ field: ArraySlice<UInt8>) -> Int64? {
        Int64(String(decoding: field.filter { $0 != 0 && $0 != UInt8(ascii: " ") }, as: UTF8.self), radix: 8)
    }

    private static func text(_ field: ArraySlice<UInt8>) -> String? { String(validating: field.prefix { $0 != 0 }, as: UTF8.self) }

    private static func sum(of block: [UInt8]) -> Int64 { block.reduce(0) { $0 + Int64($1) } }
}
