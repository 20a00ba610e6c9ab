import BatonClient
import BatonSeams
import Configuration
import Glibc

/// The settings, folder and port that a hub on this machine would use. They are examined when no hub answers, to find out why.
struct LocalHubSetup {
    private let around: ProcessEnvironment

    init(_ around: ProcessEnvironment) { self.around = around }

    func findings(_ transport: any Transport) async -> [Finding] {
        let (settings, problems) = settings()
        let data = settings?.data ?? StandardFolders(around).data
        var findings = [program] + problems + self.data(data)
        for address in settings?.listen ?? [] {
            if let finding = await port(address, transport) { findings.append(finding) }
        }
        return findings + [player, sound]
    }

    // MARK: The program and its settings

    private var program: Finding {
        let own = (try? FileLink.target(of: "/proc/self/exe")) ?? ""
        let beside = own.lastIndex(of: "/").map { String(own[..<$0]) }
        let folders = [beside].compactMap { $0 } + (around["PATH"] ?? "").split(separator: ":").map(String.init)
        guard let found = folders.map({ $0 + "/batond" }).first(where: { access($0, X_OK) == 0 }) else {
            return .fail("batond", "It is neither beside baton nor in PATH.", advice: "Build it, and start it: deploy/run")
        }
        return .ok("batond", "\(found) is there.")
    }

    private func settings() -> (HubSettings?, [Finding]) {
        do throws(ConfigurationFault) {
            guard case .run(let settings, let warnings) = try HubConfiguration.resolve([], around: around) else { return (nil, []) }
            return (settings, warnings.map { .warn("settings", $0, advice: "Mend that line; the hub starts without it.") })
        } catch {
            return (nil, error.sentences.map { .fail("settings", $0, advice: "Mend it; a hub does not start like this.") })
        }
    }

    // MARK: Folder

    private func data(_ folder: String) -> [Finding] {
        if let holder = FolderLock.holder(of: folder) {
            let process = holder > 0 ? "Process \(holder)" : "Another process"
            return [
                .fail(
                    "data", "\(process) holds \(folder), and is not heard at the usual socket.",
                    advice:
                        "If it is a hub with a socket of its own: baton --hub SOCKET. If it hangs: kill \(holder > 0 ? "\(holder)" : "it")."
                )
            ]
        }
        guard access(folder, F_OK) == 0 else { return [.ok("data", "\(folder) does not exist yet; the first hub makes it.")] }
        guard access(folder, R_OK | W_OK | X_OK) == 0 else {
            return [
                .fail(
                    "data", "\(folder) cannot be written: \(String(cString: strerror(errno))).",
                    advice: "Change its owner, or name another (--data).")
            ]
        }
        let path = folder + "/state.db"
        switch JournalFile(at: path) {
        case .missing: return [.ok("journal", "\(path) does not exist yet; the first hub makes it.")]
        case .readable(let schema, let bytes): return [.ok("journal", "\(path): \(ByteText.show(bytes)), schema \(schema).")]
        case .unusable(let sentence): return [.fail("journal", sentence, advice: "Nothing was changed. Keep a copy if the queue matters.")]
        }
    }

    // MARK: Port

    /// The problem of a port; `nil` if the port is free.
    private func port(_ address: ListenAddress, _ transport: any Transport) async -> Finding? {
        let host = address.host == "0.0.0.0" || address.host == "::" ? "127.0.0.1" : address.host
        guard address.port > 0 else { return nil }
        let endpoint = Endpoint.tcp(host: host, port: address.port)
        do {
            let channel = try await transport.connect(to: endpoint)
            channel.close(1000)
            return .warn(
                "port", "A hub answers at \(endpoint), though not at the usual socket.",
                advice: "Speak to it: baton --hub \(endpoint) status")
        } catch {
            guard error.code != .nobody else { return nil }
            return .fail(
                "port", "Another program listens at \(endpoint).",
                advice: "See which: ss -ltnp 'sport = :\(address.port)'. End it, or give the hub another port (--listen).")
        }
    }

    // MARK: Player and sound

    private var player: Finding {
        guard dlopen("libmpv.so.2", RTLD_LAZY | RTLD_LOCAL) != nil else {
            return .fail("libmpv", "It is not installed, so nothing could be played.", advice: "sudo apt install libmpv2")
        }
        return .ok("libmpv", "It is installed.")
    }

    private var sound: Finding {
        let runtime = around["XDG_RUNTIME_DIR"] ?? "/run/user/\(around.user)"
        let servers = [("PipeWire", "\(runtime)/pipewire-0"), ("PulseAudio", "\(runtime)/pulse/native")]
        if let server = servers.first(where: { access($0.1, F_OK) == 0 }) { return .ok("sound", "\(server.0) is there.") }
        guard let card = SmallFile.firstLine(of: "/proc/asound/cards"), card.contains("[") else {
            return .warn(
                "sound", "There is no sound card and no sound server.",
                advice: "A hub plays into nothing here, in time, until there is one.")
        }
        guard access("/dev/snd/controlC0", R_OK | W_OK) == 0 else {
            return .fail(
                "sound", "There is a sound card, and this user may not use it.", advice: "sudo usermod -aG audio $USER, then log in again.")
        }
        return .ok("sound", "There is a sound card.")
    }
}

/// The target of a symbolic link.
private enum FileLink {
    struct None: Error {}

    static func target(of path: String) throws(None) -> String {
        guard let real = realpath(path, nil) else { throw None() }
        defer { free(real) }
        return String(cString: real)
    }
}

extension Satellite {
    /// The reason why no connection is possible; `nil` if one is.
    func trouble(at endpoint: Endpoint) async -> String? {
        do throws(ConnectFault) {
            (try await transport.connect(to: endpoint)).close(1000)
            return nil
        } catch {
            return error.sentence
        }
    }
}
