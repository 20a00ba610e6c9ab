/// The header of one file in a tar archive, in the `ustar` format of POSIX, as far as backups need it. Other kinds of entries and headers
/// with a wrong checksum are refused.
struct TarHeader: Equatable {
    static let blockBytes = 512
    /// Marks the end of an archive.
    static let end = [UInt8](repeating: 0, count: 2 * blockBytes)
    private static let mostBytes: Int64 = 1 << 33

    var name: String
    var bytes: Int64

    /// Number of zeros after the content.
    var padding: Int { Int((Int64(Self.blockBytes) - bytes % Int64(Self.blockBytes)) % Int64(Self.blockBytes)) }

    init(name: String, bytes: Int64) {
        self.name = name
        self.bytes = bytes
    }

    /// `nil` if the format cannot hold the name or the length.
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

    /// `nil` for a block that is not the header of a plain file.
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

    /// The folder of a long name goes into a separate field.
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
