/// Where things lie by default.
import Foundation
import Testing

@testable import Configuration

struct StandardFoldersTests {
    @Test func `a person's hub lives in the XDG folders`() throws {
        try withHome { (around) throws in
            around.environment = [
                "XDG_CONFIG_HOME": "/x/config", "XDG_STATE_HOME": "/x/state", "XDG_RUNTIME_DIR": "/run/user/1000",
            ]
            let places = StandardFolders(around)

            #expect(places.configuration == "/x/config/baton/batond.conf")
            #expect(places.data == "/x/state/baton")
            #expect(places.socket == "/run/user/1000/baton/hub.sock")
            #expect(places.socketsToTry == ["/run/user/1000/baton/hub.sock", "/x/state/baton/hub.sock", "/run/baton/hub.sock"])
        }
    }

    @Test func `without a session the socket lies in the state folder, and satellites look everywhere`() throws {
        try withHome { (around) throws in
            #expect(StandardFolders(around).socket == around.home + "/.local/state/baton/hub.sock")
            #expect(
                StandardFolders(around).socketsToTry == [
                    around.home + "/.local/state/baton/hub.sock", "/run/user/1000/baton/hub.sock", "/run/baton/hub.sock",
                ])
        }
    }

    @Test func `a relative XDG folder is ignored, as its specification says`() throws {
        try withHome { (around) throws in
            around.environment["XDG_STATE_HOME"] = "state"
            #expect(StandardFolders(around).data == around.home + "/.local/state/baton")
        }
    }

    @Test func `a service lives in the folders that systemd names`() throws {
        try withHome { (around) throws in
            around.environment = [
                "STATE_DIRECTORY": "/var/lib/baton:/var/lib/other", "RUNTIME_DIRECTORY": "/run/baton", "XDG_RUNTIME_DIR": "/no",
            ]
            let places = StandardFolders(around)

            #expect(places.configuration == "/etc/baton/batond.conf")
            #expect(places.data == "/var/lib/baton")
            #expect(places.socket == "/run/baton/hub.sock")
        }
    }

    @Test func `the music folder is found under the name the desktop gave it`() throws {
        try withHome { (around) throws in
            #expect(StandardFolders(around).music == [])
            let files = FileManager.default
            try files.createDirectory(atPath: around.home + "/Music", withIntermediateDirectories: true)
            #expect(StandardFolders(around).music == [around.home + "/Music"])
            try files.createDirectory(atPath: around.home + "/Musik", withIntermediateDirectories: true)
            try files.createDirectory(atPath: around.home + "/.config", withIntermediateDirectories: true)
            try Data("# comment\nXDG_MUSIC_DIR=\"$HOME/Musik\"\n".utf8).write(
                to: URL(fileURLWithPath: around.home + "/.config/user-dirs.dirs"))
            #expect(StandardFolders(around).music == [around.home + "/Musik"])
            around.environment["XDG_MUSIC_DIR"] = around.home + "/Music"
            #expect(StandardFolders(around).music == [around.home + "/Music"])
        }
    }

    @Test func `the process finds itself`() {
        let around = ProcessEnvironment.current()

        #expect(around.environment["PATH"] == ProcessInfo.processInfo.environment["PATH"])
        #expect(!around.hostName.isEmpty)
        #expect(around.home.hasPrefix("/"))
        #expect(around.workingFolder == FileManager.default.currentDirectoryPath)
    }
}
