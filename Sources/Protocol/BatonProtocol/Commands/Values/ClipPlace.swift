public import BatonCore

/// A cell in a session of clips. Without a session it refers to the one that was started or resumed last.
public struct ClipPlace: Equatable, Sendable {
    public var session: String?
    public var layer: PromptLine.Layer
    /// The scene's number, from 1.
    public var scene: Int

    public init(_ layer: PromptLine.Layer, scene: Int = 1, session: String? = nil) {
        self.layer = layer
        self.scene = scene
        self.session = session
    }

    public static let scenes = 1...3
    public static let bars = 1...64
    public static let usualBars = 4
    /// Length of a piece that continues the motif.
    public static let seconds = 10...180
    public static let idLength = 4...16
}
