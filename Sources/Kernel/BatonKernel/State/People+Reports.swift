/// Reports of devices that play the sound of a room themselves.
///
/// A report is the device's own claim. It is shown as such, counts as one of the people in its room, and changes
/// nothing else. It is removed when its connection ends, or when no other came for a while, since a device that is switched
/// off does not sign off.
package import BatonCore
package import BatonProtocol
import BatonSeams

extension People {
    struct Reported {
        var report: ListenerReport
        var room: RoomID
        /// The number of the connection that it came by.
        var lane: Int
        var atUs: Microseconds
    }

    static let reportLifeUs: Microseconds = 30_000_000

    /// Stores the report of a device; `nil` removes the one before.
    package func report(_ report: ListenerReport?, of principal: String, in room: RoomID, by lane: Int) {
        let before = reports[principal]
        guard let report else {
            guard before?.lane == lane else { return }
            return forget(principal, saidGoodbye: true)
        }
        guard devices[principal] != nil else { return }
        reports[principal] = Reported(report: report, room: room, lane: lane, atUs: clock.nowUs)
        if before?.report != report || before?.room != room { changed() }
        if before == nil { events.send(.personLeft(room)) }
        if before?.room != room {
            if let old = before?.room { events.send(.listenersChanged(old, saidGoodbye: true)) }
            events.send(.listenersChanged(room, saidGoodbye: false))
        }
        armReports()
    }

    /// Removes the report that came by this connection, as if the device had gone without signing off.
    package func forgetReports(by lane: Int) {
        if let principal = reports.first(where: { $0.value.lane == lane })?.key { forget(principal) }
    }

    func report(of device: Device) -> ListenerReport? {
        guard let reported = reports[device.key], reported.room == device.room else { return nil }
        return reported.report
    }

    /// True when a device plays this room's sound.
    package func isHeard(_ room: RoomID) -> Bool { reports.contains { $0.value.room == room } }

    /// The rooms among these that a connection follows or a device plays.
    package func followed(among rooms: [RoomID]) -> Set<RoomID> {
        guard !rooms.isEmpty else { return [] }
        var followed = Set(reports.values.map(\.room))
        for device in devices.values {
            for connection in device.connections { for room in rooms where connection.follows(room) { followed.insert(room) } }
        }
        return followed
    }

    private func forget(_ principal: String, saidGoodbye: Bool = false) {
        guard let gone = reports.removeValue(forKey: principal) else { return }
        reports.dropSpareRoom()
        changed()
        events.send(.personLeft(gone.room))
        events.send(.listenersChanged(gone.room, saidGoodbye: saidGoodbye))
    }

    /// Arms one alarm for all reports, only while there are some.
    private func armReports() {
        guard reportAlarm == nil, let oldestUs = reports.values.map(\.atUs).min() else { return }
        reportAlarm = clock.after(.microseconds(max(1_000_000, oldestUs + Self.reportLifeUs - clock.nowUs))) { [weak self] in
            guard let self else { return }
            reportAlarm = nil
            let overUs = clock.nowUs - Self.reportLifeUs
            for (principal, reported) in reports where reported.atUs <= overUs { forget(principal) }
            publisher.tell()
            armReports()
        }
    }
}
