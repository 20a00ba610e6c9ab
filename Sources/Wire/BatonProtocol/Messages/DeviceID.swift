/// The hub's id of a device: `d_` and some letters.
public struct DeviceID: Hashable, Sendable, CustomStringConvertible {
    public let text: String

    public init(_ text: String) { self.text = text }

    public var description: String { text }
}
