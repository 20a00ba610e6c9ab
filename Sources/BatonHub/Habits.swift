import BatonCore

/// Which room each client chose last: where it is led when it comes again and names none.
///
/// Kept for as long as the hub runs, and only of those who were here most recently.
struct Habits {
    private var choices: [String: (room: RoomID, order: Int)] = [:]
    private var order = 0
    /// More clients than a home or a venue's staff has.
    static let most = 1024

    func room(of client: String) -> RoomID? { choices[client]?.room }

    mutating func note(_ room: RoomID, of client: String) {
        order += 1
        choices[client] = (room, order)
        guard choices.count > Self.most, let oldest = choices.min(by: { $0.value.order < $1.value.order }) else { return }
        choices[oldest.key] = nil
    }
}
