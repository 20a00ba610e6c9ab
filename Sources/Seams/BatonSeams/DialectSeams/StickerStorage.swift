/// The store of stickers: named texts that programs attach to songs and other things. Blocks on the disk; never called on the loop.

/// The thing that has stickers.
package struct StickerHolder: Hashable, Sendable {
    /// The kind of thing, such as `song`.
    package var kind: String
    /// The URI of an item for a song, so that stickers stay when its file is renamed; for other kinds their name.
    package var name: String

    package init(kind: String, name: String) {
        self.kind = kind
        self.name = name
    }
}

/// A sticker of a holder.
package struct Sticker: Equatable, Sendable {
    package var name: String
    package var value: String

    package init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}

package protocol StickerStorage: Sendable {
    /// The stickers of a holder by name.
    func stickers(of holder: StickerHolder) throws(SourceFault) -> [Sticker]
    /// The value of one sticker; `nil` when the holder has none of this name.
    func sticker(_ name: String, of holder: StickerHolder) throws(SourceFault) -> String?
    /// Replaces a value by the result of `change`, which gets the present one; `nil` removes it. Returns the value before. Nothing comes between
    /// reading and writing.
    @discardableResult
    func change(
        _ name: String, of holder: StickerHolder, _ change: (String?) throws(SourceFault) -> String?
    ) throws(SourceFault) -> String?
    /// Removes all stickers of a holder; returns false when it has none.
    func removeAll(of holder: StickerHolder) throws(SourceFault) -> Bool
    /// Holders of a kind that have a sticker of this name, with its value, in the order of their names.
    func holders(
        ofKind kind: String, with name: String, after: String?, most: Int
    ) throws(SourceFault) -> [(holder: String, value: String)]
    /// The names of stickers in use by kinds of holders, without repetition, sorted by name and then by kind.
    func names() throws(SourceFault) -> [(name: String, kind: String)]
}
