package import BatonCore
package import BatonSeams

/// The copies that people asked for. A port, since rows of other features show their marks, also while a source is down.
@Loop
package protocol CopyKnowing: AnyObject {
    /// True without any wish for copies, so that rows need no marks.
    var isEmpty: Bool { get }
    /// The state of an item's copy; `nil` if no wish includes the item.
    func mark(of uri: ItemURI) -> KeepMark?
    /// Adds the copy's state to the row of its item.
    func mark(_ row: inout ItemRow)
    /// The title that was stored with the copy, for a time at which the source cannot be asked.
    func title(ofCopy uri: ItemURI) -> String?
    /// True when a whole track of this source is stored.
    func hasWhole(of source: String) -> Bool
    /// Handles changed plays, marks or playlists, which rules of copies depend on.
    func note(_ change: CopyRuleCause)
}

/// The kind of change that may add tracks to the copies.
package enum CopyRuleCause { case playlists, favourites, plays, finished, sources }
