/// URIs in parts, each of which fits into one message.
struct URIParts: Sequence, IteratorProtocol {
    private var rest: ArraySlice<String>
    private static let most = 500
    private static let mostBytes = 12_000

    init(_ uris: [String]) { rest = uris[...] }

    mutating func next() -> ArraySlice<String>? {
        var bytes = 0
        let part = rest.prefix(Self.most).prefix { uri in
            bytes += uri.utf8.count + 8
            return bytes <= Self.mostBytes
        }
        // A URI that is too long for a part is sent alone; the hub refuses it with a reason.
        let taken = part.isEmpty ? rest.prefix(1) : part
        rest = rest.dropFirst(taken.count)
        return taken.isEmpty ? nil : taken
    }
}
