public import BatonCore

/// The recordings in the section `radio`.
extension RadioSection {
    /// A station that is being recorded, or will be.
    public struct Recorded: Equatable, Sendable {
        /// The state of a recording.
        public enum State: String, CaseIterable, Equatable, Sendable {
            /// Waits for its start time.
            case due
            case on
            /// The station cannot be reached or the disk is full; the hub retries.
            case trouble
        }

        public var recording: Recording
        public var state: State
        /// The title that is being recorded.
        public var song: String?
        /// The reason for the trouble.
        public var sentence: String?

        package init(_ recording: Recording, _ state: State, song: String? = nil, sentence: String? = nil) {
            self.recording = recording
            self.state = state
            self.song = song
            self.sentence = sentence
        }
    }
}
