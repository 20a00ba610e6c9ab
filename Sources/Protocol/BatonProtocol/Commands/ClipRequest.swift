public import BatonCore

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

/// A cell of a session.
public struct ClipPlace: Equatable, Sendable {
    public var session: String?
    public var layer: PromptLine.Layer
    /// From 1.
    public var scene: Int

    public init(_ layer: PromptLine.Layer, scene: Int = 1, session: String? = nil) {
        self.layer = layer
        self.scene = scene
        self.session = session
    }

    public static let scenes = 1...3
    public static let bars = 1...64
    public static let usualBars = 4
    /// Of a piece that goes on with the motif.
    public static let seconds = 10...180
    public static let idLength = 4...16
}
