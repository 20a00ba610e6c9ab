/// Conversions of the settings for the hub's parts.
import BatonProtocol
import BatonSeams
import Configuration
import SocketServer

extension Server.Limits {
    init(_ limits: WireLimits) {
        self.init()
        firstMessageBytes = limits.frameBeforeWelcome
        message = .milliseconds(limits.messageWithinMs)
        patience = Patience(pingMs: limits.pingMs, endMs: limits.silenceMs)
    }
}

extension ListenAddress {
    /// The address as a person types it on this machine.
    var reachable: ListenAddress { host == "0.0.0.0" || host == "::" ? ListenAddress(host: "127.0.0.1", port: port) : self }
}

extension LANPlain {
    var role: Role? { Role(rawValue: rawValue) }
}
