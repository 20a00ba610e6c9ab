import BatonProtocol
import Configuration
import Glibc

/// A firewall on this machine, as far as an ordinary user can see it. Every user can see that it is on; its rules can often
/// be read by root alone.
struct Firewall: Equatable, Sendable {
    enum Kind: String, Sendable {
        case ufw, firewalld
    }

    var kind: Kind
    /// The firewall's rules; `nil` if they cannot be read.
    var rules: String?

    /// The firewall that is on; `nil` if none is. Tests pass another folder as `root`.
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

    /// The command that lets other machines reach the hub.
    func command(tlsPort: UInt16) -> String {
        switch kind {
        case .ufw: "sudo ufw allow \(tlsPort)/tcp && sudo ufw allow 5353/udp"
        case .firewalld: "sudo firewall-cmd --permanent --add-port=\(tlsPort)/tcp --add-service=mdns && sudo firewall-cmd --reload"
        }
    }

    /// The finding about the firewall; `nil` if no port is open to other machines.
    func finding(tlsPort: UInt16?) -> Finding? {
        guard let tlsPort else { return nil }
        guard let rules else {
            return .ok("firewall", "\(kind.rawValue) is on. If other devices find no way in: \(command(tlsPort: tlsPort))")
        }
        if rules.contains("--dport \(tlsPort) ") { return .ok("firewall", "\(kind.rawValue) is on, and lets port \(tlsPort) in.") }
        return .warn("firewall", "\(kind.rawValue) is on, and no rule lets port \(tlsPort) in.", advice: command(tlsPort: tlsPort))
    }
}
