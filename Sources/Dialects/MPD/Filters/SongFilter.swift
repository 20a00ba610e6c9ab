import BatonSeams

/// A condition for songs.
indirect enum SongFilter: Equatable, Sendable {
    /// True when all of these are; an empty list is true for each song.
    case all([SongFilter])
    case not(SongFilter)
    case tag(TagName, TextTest)
    /// True when a value of any tag passes the test.
    case anyTag(TextTest)
    /// A test of the path.
    case path(TextTest)
    /// The song lies in this folder, or in one below it.
    case base(String)
    /// The file changed at this second since 1970 or later.
    case changedSince(Int)
    /// The song came into the library at this second or later.
    case addedSince(Int)
    case format(FormatMask)
}

/// A test of one text.
struct TextTest: Equatable, Sendable {
    /// The relation of the text to the value.
    enum Relation: Equatable {
        case equals, contains, startsWith
        /// The value is a regular expression.
        case matches
    }

    var relation: Relation
    var value: String
    /// True for a song none of whose values passes.
    var isNegated = false
    /// True when case does not count, as in `search`.
    var foldsCase = false
}
