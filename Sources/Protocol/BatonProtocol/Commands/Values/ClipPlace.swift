public import BatonCore

/// A cell of a session of clips. Without a session it means the one that was begun or taken up last.
public struct ClipPlace: Equatable, Sendable {
    public var session: String?
    public var layer: PromptLine.Layer
    /// The number of the scene, counted from 1.
    public var scene: Int

    public init(_ layer: PromptLine.Layer, scene: Int = 1, session: String? = nil) {
        self.layer = layer
        self.scene = scene
        self.session = session
    }

    public static let scenes = 1...3
    public static let bars = 1...64
    public static let usualBars = 4
    /// The place of a piece that goes on with the motif.
    public static let seconds = 10...180
    public static let idLength = 4...16
}
