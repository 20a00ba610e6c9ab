/// All settings of a hub, resolved to one value.
package import BatonProtocol
package import BatonSeams

@dynamicMemberLookup
package struct HubSettings: Equatable, Sendable {
    /// Values by the flag of the setting.
    private var values: [String: SettingValue] = [:]
    /// Accounts at servers, whose music the hub plays.
    package var sources: [ConfiguredSource] = []
    /// Workers for music in the file.
    package var workers: [WorkerDescription] = []
    /// Folder in which the service manager passes secrets to the hub.
    package var credentials: String?
    /// Names of this machine on its network, in lower case.
    package var hostNames: [String] = []

    init() {}

    package subscript<Value>(dynamicMember path: KeyPath<DeclaredSettings, Setting<Value>>) -> Value {
        self[DeclaredSettings.here[keyPath: path]]
    }

    /// Whether anyone has to pair: who comes by a port with TLS, and who comes by a trusted proxy.
    package var mayPair: Bool { !self.tls.isEmpty || !self.trustedProxies.isEmpty }

    package var limits: WireLimits {
        Limit.all.reduce(into: .standard) { limits, limit in limit.set(self[limit.setting], &limits) }
    }

    private subscript<Value>(setting: Setting<Value>) -> Value {
        guard let known = values[setting.about.flag], let value = known.value as? Value else {
            preconditionFailure("\(setting.about.path) has no value yet: a default that depends on it is declared behind it.")
        }
        return value
    }

    /// Takes a setting from the highest layer that has it. Every layer is checked, so that an error in the file shows even while a flag
    /// overrides it.
    mutating func take(_ setting: any AnySetting, from layers: [Layer], around: ProcessEnvironment) -> [String] {
        let about = setting.about
        var problems: [String] = []
        var taken: SettingValue?
        for layer in layers {
            guard let entry = layer.entries[about.flag] else { continue }
            let value = setting.value(of: entry.texts, from: PathOrigin(home: around.home, folder: layer.folder))
            if value == nil {
                let found = entry.texts.map { "\"\($0)\"" }.joined(separator: ", ")
                problems.append("\(entry.source): \(about.path) is \(found). Expected \(about.accepts).")
            }
            taken = taken ?? value
        }
        values[about.flag] = taken ?? setting.usualValue(around: around, soFar: self)
        return problems
    }
}

package struct ListenAddress: Equatable, Sendable {
    /// A name or an address, without the brackets of IPv6.
    package var host: String
    /// The port; 0 selects any free one.
    package var port: UInt16

    package init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    /// `127.0.0.1:9442`, `[::1]:9442`, `localhost:9442`; `*` is every IPv4 address.
    package init?(text: String) {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else { return nil }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
        } else if host.contains(":") {
            return nil
        }
        guard !host.isEmpty, !host.contains(where: \.isWhitespace) else { return nil }
        self.init(host: host == "*" ? "0.0.0.0" : String(host), port: port)
    }

    package var text: String { (host.contains(":") ? "[\(host)]" : host) + ":\(port)" }

    /// True if only this machine can reach it.
    package var isLoopback: Bool { host == "localhost" || host == "::1" || host.hasPrefix("127.") }
}

/// Role of remotes on other machines that use the unencrypted port without pairing.
package enum LANPlain: String, Sendable, CaseIterable {
    case off, listener, guest, remote
}

/// Entry for people without an account, and their role.
package enum GuestEntry: String, Sendable, CaseIterable {
    case off, listener, guest
}

package enum AudioOutput: Equatable, Sendable {
    case auto, null
    /// A file that receives the sound instead of a device.
    case pcm(String)
    /// A device, by the player's name for it.
    case device(String)

    package init?(text: String) {
        switch text {
        case "": return nil
        case "auto": self = .auto
        case "null": self = .null
        case "pcm:": return nil
        case _ where text.hasPrefix("pcm:"): self = .pcm(String(text.dropFirst(4)))
        default: self = .device(text)
        }
    }

    package var text: String {
        switch self {
        case .auto: "auto"
        case .null: "null"
        case .pcm(let path): "pcm:" + path
        case .device(let name): name
        }
    }
}
