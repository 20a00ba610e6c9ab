/// The name and the ids of a hub.
package struct HubIdentity: Sendable {
    package static let protocolMajor = 1
    package static let version = "0.1.0"

    /// A stable random id.
    package var id: String
    package var name: String
    /// Identifies the life of the monotonic clock.
    package var boot: String

    package init(id: String, name: String, boot: String) {
        self.id = id
        self.name = name
        self.boot = boot
    }
}
