/// The tags of a file by their common names, for dialects that show all of them. Library and search read `TrackFacts` instead.
package struct FileTags: Equatable, Sendable {
    /// A tag without a common name, as the file has it.
    package struct Other: Equatable, Sendable {
        package var name: String
        package var value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The tags with a common name, in the order of the file where that has a meaning; comments are among `others`, because most programs leave
    /// them out of lists.
    package var tags: [Song.Tag]
    package var others: [Other]

    package init(tags: [Song.Tag] = [], others: [Other] = []) {
        self.tags = tags
        self.others = others
    }
}
