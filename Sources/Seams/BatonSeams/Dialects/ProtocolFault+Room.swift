package import BatonCore
package import BatonProtocol

extension ProtocolFault {
    /// A message names a room that is not there, in hub and dialects alike.
    package init(noRoom room: RoomID, at pointer: String? = nil) {
        self.init(.notFound, "There is no room “\(room)” on this hub.", at: pointer)
    }
}
