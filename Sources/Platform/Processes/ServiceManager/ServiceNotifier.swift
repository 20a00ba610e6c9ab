/// Notifications for the service manager: readiness, the watchdog's heartbeat, and the current status (sd_notify(3)).
///
/// Each message is one datagram to the socket in `NOTIFY_SOCKET`, so no library is needed. Without a service manager nothing is sent.
/// Sending never waits: a manager that does not read loses a message.
package import BatonCore
import Glibc

package struct ServiceNotifier: Sendable {
    private let address: LocalAddress?
    /// The time without a heartbeat after which the service manager ends the process; `nil` without a watchdog.
    package let watchdog: Duration?

    /// A notifier that sends nothing.
    package static let silent = ServiceNotifier(environment: [:], process: 0)

    package init(environment: [String: String], process: Int32) {
        address = environment["NOTIFY_SOCKET"].flatMap { LocalAddress(path: $0) }
        // A variable for another process may have been inherited from it.
        let isMeant = environment["WATCHDOG_PID"].map { Int32($0) == process } ?? true
        let us = environment["WATCHDOG_USEC"].flatMap { Int64($0) }.flatMap { $0 > 0 ? $0 : nil }
        watchdog = isMeant ? us.map { .microseconds($0) } : nil
    }

    /// Half of the watchdog's time, so that one late turn of the loop does no harm.
    package var heartbeat: Duration? { address == nil ? nil : watchdog.map { $0 / 2 } }

    package func ready(_ status: String) { send(["READY=1", "STATUS=\(status)"]) }
    package func says(_ status: String) { send(["STATUS=\(status)"]) }
    package func stopping() { send(["STOPPING=1", "STATUS=Stopping."]) }
    package func isAlive() { send(["WATCHDOG=1"]) }

    /// Announces a reload, which `ready` ends.
    package func reloading(nowUs: Microseconds) { send(["RELOADING=1", "MONOTONIC_USEC=\(nowUs)"]) }

    private func send(_ lines: [String]) {
        guard let address else { return }
        // A message has one value per line, so line breaks become spaces.
        let text = lines.map { $0.map { $0 == "\n" ? " " : String($0) }.joined() }.joined(separator: "\n")
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        _ = address.send(Array(text.utf8), over: descriptor)
    }
}
