public import BatonCore

/// A cell in a session of clips. Without a session it refers to the one that was started or resumed last.
public struct ClipCell: Equatable, Sendable {
    /// The id of the session; `nil` for the one that was started or resumed last.
    public var session: String?
    /// The layer of the cell, for example the bass.
    public var layer: PromptLine.Layer
    /// The scene's number, from 1.
    public var scene: Int

    public init(_ layer: PromptLine.Layer, scene: Int = 1, session: String? = nil) {
        self.layer = layer
        self.scene = scene
        self.session = session
    }

    /// Numbers of the scenes in a session.
    public static let scenes = 1...3
    /// Range of a clip's length in bars.
    public static let bars = 1...64
    /// Length in bars of a clip for which no length is given.
    public static let usualBars = 4
    /// Length of a piece that continues the motif.
    public static let seconds = 10...180
}
