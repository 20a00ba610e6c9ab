package import BatonProtocol

/// All devices, and the removed ones: the content of the key store.
package struct DeviceTable: Equatable, Sendable {
    package var devices: [Device] = []
    /// Ids of removed devices, the newest last. Stored so that a removed device is told so, and not just that it is unknown.
    package var revoked: [DeviceID] = []
    /// Wrong codes since the last right one, in all windows.
    package var failures = 0

    package static let mostRevoked = 256

    package init() {}

    package subscript(id: DeviceID) -> Device? {
        get { devices.first { $0.id == id } }
        set {
            devices.removeAll { $0.id == id }
            if let newValue { devices.append(newValue) }
        }
    }

    package mutating func revoke(_ id: DeviceID) {
        self[id] = nil
        revoked = Array((revoked + [id]).suffix(Self.mostRevoked))
    }
}
