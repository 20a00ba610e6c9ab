/// The name and the ids of a hub.
package struct HubIdentity: Sendable {
    /// The major version of Core, as the network announcement names it.
    package static let protocolMajor = 1
    /// The version of this program, as `--version`, the section `hub` and requests to other servers name it.
    package static let version = "0.1.0"

    /// A stable random id.
    package var id: String
    /// The name that people see.
    package var name: String
    /// Identifies the life of the monotonic clock.
    package var boot: String

    package init(id: String, name: String, boot: String) {
        self.id = id
        self.name = name
        self.boot = boot
    }
}
