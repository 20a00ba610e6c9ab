package import BatonCore
package import BatonSeams

/// Knows the copies that people asked for. Rows are given with their marks, also while a source is away, which takes an answer.
@Loop
package protocol CopyKnowing: AnyObject {
    var isEmpty: Bool { get }
    func mark(of uri: ItemURI) -> KeepMark?
    /// Adds what is kept of the row's item.
    func mark(_ row: inout ItemRow)
    func title(ofCopy uri: ItemURI) -> String?
    /// Whether a track of this source is there whole.
    func hasWhole(of source: String) -> Bool
    /// Plays, marks or playlists are other ones now, which rules of copies follow.
    func note(_ change: CopyRuleCause)
}

/// The reason why other tracks may belong to what is kept.
package enum CopyRuleCause { case playlists, favourites, plays, finished, sources }
