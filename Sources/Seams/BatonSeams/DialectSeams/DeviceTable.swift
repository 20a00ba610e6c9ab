package import BatonProtocol

/// All devices, and the removed ones: the content of the key store.
package struct DeviceTable: Equatable, Sendable {
    /// The devices that are let in.
    package var devices: [Device] = []
    /// Ids of removed devices, the newest last. Stored so that a removed device is told so, and not just that it is unknown.
    package var revoked: [DeviceID] = []
    /// Wrong codes since the last right one, in all windows.
    package var failures = 0

    /// Number of removed devices that are remembered.
    package static let mostRevoked = 256

    package init() {}

    /// The device with this id; setting `nil` removes it without remembering that.
    package subscript(id: DeviceID) -> Device? {
        get { devices.first { $0.id == id } }
        set {
            devices.removeAll { $0.id == id }
            if let newValue { devices.append(newValue) }
        }
    }

    /// Removes a device and remembers its id.
    package mutating func revoke(_ id: DeviceID) {
        self[id] = nil
        revoked = Array((revoked + [id]).suffix(Self.mostRevoked))
    }
}
