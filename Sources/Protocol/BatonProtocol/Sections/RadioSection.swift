public import BatonCore

/// The recordings that the section `radio` names.
extension RadioSection {
    /// A station that is recorded, or will be.
    public struct Recorded: Equatable, Sendable {
        /// How a recording is getting on.
        public enum State: String, CaseIterable, Equatable, Sendable {
            /// It waits for its time.
            case due
            case on
            /// The station cannot be heard or the disk is full; it is tried again.
            case trouble
        }

        public var recording: Recording
        public var state: State
        /// What is written now.
        public var song: String?
        /// Why it is in trouble.
        public var sentence: String?

        package init(_ recording: Recording, _ state: State, song: String? = nil, sentence: String? = nil) {
            self.recording = recording
            self.state = state
            self.song = song
            self.sentence = sentence
        }
    }
}
