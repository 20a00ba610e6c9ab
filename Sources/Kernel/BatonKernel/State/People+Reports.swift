/// Devices that play the sound of a room themselves, and what they say of it.
///
/// A report is a device's own word. It is shown as such, counts for who hears the room, and changes nothing else. It is forgotten when its
/// connection ends, or when no other came for a while: a device that is switched off says no goodbye.
package import BatonCore
package import BatonProtocol
import BatonSeams

extension People {
    struct Reported {
        package var report: ListenerReport
        package var room: RoomID
        /// The connection it came by.
        package var lane: Int
        package var atUs: Int64
    }

    static let reportLifeUs: Int64 = 30_000_000

    /// What the device says; `nil` ends what it said before.
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

    package func forgetReports(by lane: Int) {
        if let principal = reports.first(where: { $0.value.lane == lane })?.key { forget(principal) }
    }

    package func report(of device: Device) -> ListenerReport? {
        guard let reported = reports[device.key], reported.room == device.room else { return nil }
        return reported.report
    }

    /// Whether a device plays this room along.
    package func isHeard(_ room: RoomID) -> Bool { reports.contains { $0.value.room == room } }

    /// Those among `rooms` that a connection follows or a device plays along.
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

    /// One alarm for all, which is asked anew only while there are reports.
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
