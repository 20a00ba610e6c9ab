import BatonProtocol
import Configuration
import Glibc

/// A firewall on this machine, as far as anybody may know of it: that one is on can be seen by all,
/// and what it lets in often by root alone.
struct Firewall: Equatable, Sendable {
    enum Kind: String, Sendable {
        case ufw, firewalld
    }

    var kind: Kind
    /// Its rules, where they may be read.
    var rules: String?

    /// The one that is on, if any; `root` is another folder in tests.
    static func look(in root: String = "") -> Firewall? {
        if lines(of: "\(root)/etc/ufw/ufw.conf").contains("ENABLED=yes") {
            let rules = ["user.rules", "user6.rules"].flatMap { lines(of: "\(root)/etc/ufw/\($0)") }
            return Firewall(kind: .ufw, rules: rules.isEmpty ? nil : rules.joined(separator: "\n"))
        }
        if access("\(root)/run/firewalld.pid", F_OK) == 0 || access("\(root)/run/firewalld/firewalld.pid", F_OK) == 0 {
            return Firewall(kind: .firewalld)
        }
        return nil
    }

    private static let mostBytes = 1 << 20

    private static func lines(of path: String) -> [String] {
        guard let text = try? TextFile.read(path, atMost: mostBytes) else { return [] }
        return String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// What lets others reach the hub.
    func command(tlsPort: UInt16) -> String {
        switch kind {
        case .ufw: "sudo ufw allow \(tlsPort)/tcp && sudo ufw allow 5353/udp"
        case .firewalld: "sudo firewall-cmd --permanent --add-port=\(tlsPort)/tcp --add-service=mdns && sudo firewall-cmd --reload"
        }
    }

    /// `nil` where no port is to be reached from elsewhere.
    func finding(tlsPort: UInt16?) -> Finding? {
        guard let tlsPort else { return nil }
        guard let rules else {
            return .ok("firewall", "\(kind.rawValue) is on. If other devices find no way in: \(command(tlsPort: tlsPort))")
        }
        if rules.contains("--dport \(tlsPort) ") { return .ok("firewall", "\(kind.rawValue) is on, and lets port \(tlsPort) in.") }
        return .warn("firewall", "\(kind.rawValue) is on, and no rule lets port \(tlsPort) in.", command(tlsPort: tlsPort))
    }
}
