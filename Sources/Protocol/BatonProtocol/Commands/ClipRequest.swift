/// Commands about sessions of clips. Without a session they mean the one that was begun or taken up last.
public enum ClipRequest: Equatable, Sendable {
    /// `worker` makes its clips.
    case start(String, name: String?, worker: String?)
    /// `nil` is all of them.
    case list(String?)
    case add(ClipPlace, bars: Int, words: String?)
    case remove(ClipPlace)
    case turn(ClipPlace, on: Bool)
    /// It is the one that is meant from then on.
    case resume(String?)
    /// Plays from the next round on; with a name it only gets that.
    case scene(String?, Int, name: String?)
}
