/// A report to a server about an item that is being listened to.
package struct ServerPlaceNote: Equatable, Sendable {
    /// The state of the room or device when the report was made.
    package enum State: String, Sendable {
        case playing, paused, stopped
    }

    /// The item, whose source names the server.
    package var uri: ItemURI
    /// The place as the server is to store it.
    package var place: ServerPlace
    /// The state that a server may show to other devices of the account.
    package var state: State
    /// The name of the room or device where it was heard.
    package var device: String
    /// The server's value right before, where it was read.
    package var over: ServerPlace?

    package init(_ uri: ItemURI, _ place: ServerPlace, state: State, on device: String, over: ServerPlace? = nil) {
        self.uri = uri
        self.place = place
        self.state = state
        self.device = device
        self.over = over
    }
}
