/// What the service manager is told and gives, over real sockets.
import BatonSeams
import Foundation
import Glibc
import Testing

@testable import Processes

struct ServiceNotifierTests {
    @Test func `each message is one datagram of lines`() throws {
        let manager = try UnixReceiver()
        let notifier = ServiceNotifier(environment: ["NOTIFY_SOCKET": manager.path], process: 7)

        notifier.ready("The page is at http://127.0.0.1:9442/\nREADY=0")
        notifier.isAlive()
        notifier.reloading(nowUs: 42)
        notifier.stopping()

        #expect(manager.text == "READY=1\nSTATUS=The page is at http://127.0.0.1:9442/ READY=0")
        #expect(manager.text == "WATCHDOG=1")
        #expect(manager.text == "RELOADING=1\nMONOTONIC_USEC=42")
        #expect(manager.text == "STOPPING=1\nSTATUS=Stopping.")
        #expect(manager.text == nil)
    }

    @Test func `a sign of life comes twice in the time that the manager waits`() throws {
        let manager = try UnixReceiver()
        let environment = ["NOTIFY_SOCKET": manager.path, "WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "7"]

        #expect(ServiceNotifier(environment: environment, process: 7).heartbeat == .seconds(15))
        #expect(ServiceNotifier(environment: environment, process: 8).heartbeat == nil)
        #expect(ServiceNotifier(environment: ["WATCHDOG_USEC": "30000000"], process: 7).heartbeat == nil)
        for odd in ["", "0", "-5", "soon"] {
            #expect(ServiceNotifier(environment: environment.merging(["WATCHDOG_USEC": odd]) { $1 }, process: 7).heartbeat == nil)
        }
    }

    @Test(arguments: ["", "relative", "/", "/\(String(repeating: "x", count: 200))"])
    func `an address that is none is not written to`(address: String) {
        let notifier = ServiceNotifier(environment: ["NOTIFY_SOCKET": address, "WATCHDOG_USEC": "1000000"], process: 1)
        notifier.ready("ok")
        #expect(notifier.heartbeat == nil || address == "/")
    }

    @Test func `a manager that has gone does no harm`() throws {
        let path = try UnixReceiver().path
        ServiceNotifier(environment: ["NOTIFY_SOCKET": path], process: 1).ready("ok")
        #expect(!FileManager.default.fileExists(atPath: path))
    }
}

struct InheritedSocketTests {
    @Test func `sockets are numbered from three and named by their unit`() {
        let environment = ["LISTEN_PID": "9", "LISTEN_FDS": "3", "LISTEN_FDNAMES": "hub:plain"]
        let found = InheritedSocket.announced(in: environment, to: 9)

        #expect(found == [.init(descriptor: 3, name: "hub"), .init(descriptor: 4, name: "plain"), .init(descriptor: 5, name: "")])
    }

    @Test func `what is meant for another process, or makes no sense, is not taken`() {
        #expect(InheritedSocket.announced(in: ["LISTEN_PID": "9", "LISTEN_FDS": "1"], to: 10).isEmpty)
        for odd in ["", "0", "-1", "many", "100000"] {
            #expect(InheritedSocket.announced(in: ["LISTEN_PID": "9", "LISTEN_FDS": odd], to: 9).isEmpty)
        }
        #expect(InheritedSocket.announced(in: [:], to: 9).isEmpty)
    }
}

struct JournalLogTests {
    /// A pipe in the place of standard error, and the environment that says that journald reads it.
    private func withStream(_ body: (_ environment: [String: String], _ stream: Int32, _ written: () -> String) throws -> Void) throws {
        let pipe = Pipe()
        let stream = pipe.fileHandleForWriting.fileDescriptor
        var status = stat()
        fstat(stream, &status)
        try body(["JOURNAL_STREAM": "\(status.st_dev):\(status.st_ino)"], stream) {
            var room = [UInt8](repeating: 0, count: 4_096)
            let reading = pipe.fileHandleForReading.fileDescriptor
            _ = fcntl(reading, F_SETFL, O_NONBLOCK)
            let count = read(reading, &room, room.count)
            return String(decoding: room.prefix(max(0, count)), as: UTF8.self)
        }
    }

    @Test func `an entry has a level and fields`() throws {
        try withStream { environment, stream, written in
            let journald = try UnixReceiver()
            let log = try #require(
                JournalLog(
                    environment: environment, standardError: stream, socketPath: journald.path,
                    fields: [("SYSLOG_IDENTIFIER", "batond"), ("BATON_HUB", "Kitchen")]))

            log.write(.warning, "The disk is full.")
            log.write(.trace, "Two\nlines")

            #expect(
                journald.text
                    == "MESSAGE=The disk is full.\nPRIORITY=4\nBATON_LEVEL=warning\nSYSLOG_IDENTIFIER=batond\nBATON_HUB=Kitchen\n")
            let second = try #require(journald.next())
            #expect(second.starts(with: Array("MESSAGE\n".utf8) + [9, 0, 0, 0, 0, 0, 0, 0] + Array("Two\nlines\nPRIORITY=7\n".utf8)))
            #expect(written() == "")
        }
    }

    @Test func `without journald's socket the level stands in front of each line`() throws {
        try withStream { environment, stream, written in
            let log = try #require(JournalLog(environment: environment, standardError: stream, socketPath: "/nowhere", fields: []))

            log.write(.error, "One\ntwo")

            #expect(written() == "<3>One\n<3>two\n")
        }
    }

    @Test func `standard error that leads elsewhere is left as it is`() throws {
        try withStream { environment, stream, _ in
            #expect(JournalLog(environment: [:], standardError: stream, fields: []) == nil)
            #expect(JournalLog(environment: ["JOURNAL_STREAM": "1:1"], standardError: stream, fields: []) == nil)
            #expect(JournalLog(environment: environment, standardError: STDIN_FILENO, fields: []) == nil)
        }
    }
}
