/// The condition of a hub's library, for `baton doctor`.
extension HubDiagnostics {
    /// The hub's own library; absent while it is being opened.
    public struct Library: Equatable, Sendable {
        /// Told to `admin` alone.
        public var path: String?
        /// Why there is none: a sentence.
        public var problem: String?
        /// Why tags and pictures cannot be read.
        public var unread: String?
        /// Why changes of some folders are not seen at once.
        public var unwatched: String?
        /// Sentences from opening it.
        public var notices: [String]

        package init(
            path: String? = nil, problem: String? = nil, unread: String? = nil, unwatched: String? = nil, notices: [String] = []
        ) {
            self.path = path
            self.problem = problem
            self.unread = unread
            self.unwatched = unwatched
            self.notices = notices
        }

        /// Every remote may know that something is wrong, but only an admin the names of folders and programs.
        var withoutPlaces: Library {
            Library(
                problem: problem.map { _ in "The library could not be opened." },
                unread: unread.map { _ in "Tags and covers cannot be read." },
                unwatched: unwatched.map { _ in "Changes of some folders are found later." })
        }
    }
}
