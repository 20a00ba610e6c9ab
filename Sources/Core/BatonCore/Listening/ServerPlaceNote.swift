/// A report to a server about an item that is being listened to.
package struct ServerPlaceNote: Equatable, Sendable {
    package enum State: String, Sendable {
        case playing, paused, stopped
    }

    package var uri: ItemURI
    package var place: ServerPlace
    package var state: State
    /// The name of the room or device where it was heard.
    package var device: String
    /// The server's value right before, where it was read.
    package var over: ServerPlace?

    package init(_ uri: ItemURI, _ place: ServerPlace, _ state: State, on device: String, over: ServerPlace? = nil) {
        self.uri = uri
        self.place = place
        self.state = state
        self.device = device
        self.over = over
    }
}
