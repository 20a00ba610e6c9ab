/// The default folders: the XDG folders of a user, or those that systemd creates for a service. The hub and the satellite use the same
/// table, so they find each other.
import Glibc

package struct StandardFolders: Sendable {
    private let around: ProcessEnvironment

    package init(_ around: ProcessEnvironment) { self.around = around }

    /// systemd sets these variables only for a service that requests the folders.
    private var isService: Bool { around["STATE_DIRECTORY"] != nil || around["RUNTIME_DIRECTORY"] != nil }

    package var configuration: String {
        isService ? "/etc/baton/batond.conf" : xdg("XDG_CONFIG_HOME", ".config") + "/baton/batond.conf"
    }

    package var data: String {
        guard isService else { return xdg("XDG_STATE_HOME", ".local/state") + "/baton" }
        // The variable may hold several folders, separated by colons.
        return around["STATE_DIRECTORY"].map { String($0.prefix { $0 != ":" }) } ?? "/var/lib/baton"
    }

    package var socket: String {
        if isService { return (around["RUNTIME_DIRECTORY"].map { String($0.prefix { $0 != ":" }) } ?? "/run/baton") + "/hub.sock" }
        return personalSocket
    }

    /// Sockets at which a satellite looks for a hub on this machine, nearest first.
    package var socketsToTry: [String] {
        // A program without the session's environment may look for a hub that has it, and vice versa.
        let all = [personalSocket, "/run/user/\(around.user)/baton/hub.sock", stateSocket, "/run/baton/hub.sock"]
        return all.enumerated().filter { index, path in !all[..<index].contains(path) }.map(\.element)
    }

    /// Without a session there is no runtime folder, for example for root over ssh or in a container. The state folder is just as private,
    /// while any user could take a name in `/tmp`.
    private var personalSocket: String {
        around["XDG_RUNTIME_DIR"].map { $0 + "/baton/hub.sock" } ?? stateSocket
    }

    private var stateSocket: String { xdg("XDG_STATE_HOME", ".local/state") + "/baton/hub.sock" }

    /// The person's music folder, if there is one.
    package var music: [String] { [musicFolder].filter(Self.isFolder) }

    /// Usual folders for music on machines and their disks. The music folder need not exist yet.
    package var libraryRoots: [String] { [musicFolder, "/srv", "/media", "/mnt"] }

    private var musicFolder: String { around["XDG_MUSIC_DIR"] ?? nameInUserDirs() ?? around.home + "/Music" }

    private func xdg(_ name: String, _ otherwise: String) -> String {
        // The specification says that relative paths are ignored.
        around[name].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? around.home + "/" + otherwise
    }

    /// The localised folder name, which desktops store in a file of shell assignments.
    private func nameInUserDirs() -> String? {
        guard let text = try? TextFile.read(xdg("XDG_CONFIG_HOME", ".config") + "/user-dirs.dirs", atMost: 65_536) else { return nil }
        for line in String(decoding: text, as: UTF8.self).split(separator: "\n") where line.hasPrefix("XDG_MUSIC_DIR=\"") {
            let value = line.dropFirst("XDG_MUSIC_DIR=\"".count).prefix { $0 != "\"" }
            return value.hasPrefix("$HOME") ? around.home + value.dropFirst("$HOME".count) : String(value)
        }
        return nil
    }

    static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}

/// Reads a small file as a whole.
package enum TextFile {
    package struct Unreadable: Error { var reason: String }

    static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

    package static func read(_ path: String, atMost limit: Int) throws(Unreadable) -> [UInt8] {
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw Unreadable(reason: unsafe String(cString: strerror(errno))) }
        defer { close(file) }
        var text = [UInt8](repeating: 0, count: limit + 1)
        var filled = 0
        while filled <= limit {
            let got = unsafe text.withUnsafeMutableBytes { room in
                unsafe Glibc.read(file, UnsafeMutableRawBufferPointer(rebasing: room[filled...]).baseAddress, room.count - filled)
            }
            guard got >= 0 else { throw Unreadable(reason: unsafe String(cString: strerror(errno))) }
            if got == 0 { break }
            filled += got
        }
        guard filled <= limit else { throw Unreadable(reason: "it is larger than \(limit) bytes") }
        return Array(text.prefix(filled))
    }
}
