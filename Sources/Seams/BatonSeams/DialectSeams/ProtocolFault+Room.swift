package import BatonCore
package import BatonProtocol

extension ProtocolFault {
    /// The fault for a message that names a missing room, in hub and dialects alike.
    package init(noRoom room: RoomID, at pointer: String? = nil) {
        self.init(.notFound, "There is no room “\(room)” on this hub.", at: pointer)
    }
}
