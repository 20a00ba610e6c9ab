/// The cell of a session that a clip is for.
package struct ClipWish: Equatable, Sendable {
    package var layer: PromptLine.Layer
    /// The number of the scene, from 0.
    package var scene: Int
    /// Length of the clip in bars.
    package var bars: Int

    /// A wish for a clip in this cell; the range of `scene` and `bars` is the caller's concern.
    package init(_ layer: PromptLine.Layer, scene: Int, bars: Int) {
        self.layer = layer
        self.scene = scene
        self.bars = bars
    }

    /// The stored form.
    package var text: String { "\(layer.rawValue) \(scene) \(bars)" }

    /// Reads the stored form; `nil` for other text.
    package init?(text: String) {
        let parts = text.split(separator: " ").map(String.init)
        guard parts.count == 3, let layer = PromptLine.Layer(rawValue: parts[0]), let scene = Int(parts[1]), let bars = Int(parts[2]) else {
            return nil
        }
        self.init(layer, scene: scene, bars: bars)
    }
}
