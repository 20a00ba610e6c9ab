public import BatonCore

/// The answer to `lib.item`: the details of one item, and its lyrics and media link if they were asked for.
public struct ItemAnswer: Equatable, Sendable {
    public typealias File = ItemFile

    public var details: ItemDetails
    /// The lyrics; `nil` if they were not requested or there are none.
    public var lyrics: Lyrics?
    /// A link under which the client can fetch the sound for a limited time; `nil` if it was not requested or is not allowed.
    public var media: MediaLink?
    /// The files beside its sound, by name.
    public var files: [File]

    package init(_ details: ItemDetails, lyrics: Lyrics? = nil, media: MediaLink? = nil, files: [File] = []) {
        self.details = details
        self.lyrics = lyrics
        self.media = media
        self.files = files
    }
}
