package import BatonProtocol

/// What the owner has allowed beyond the hub's own machine and its paired devices.
package struct AdmissionPolicy: Sendable {
    /// What plain connections from elsewhere may do; `nil` keeps them out.
    package var lanPlain: Role?
    /// Pages on other origins that may connect.
    package var origins: [String]
    /// Names of this machine, for `Host`.
    package var hostNames: [String]
    /// The hub's root certificate, in DER; none is offered if empty.
    package var root: [UInt8]

    package init(lanPlain: Role? = nil, origins: [String] = [], hostNames: [String] = [], root: [UInt8] = []) {
        self.lanPlain = lanPlain
        self.origins = origins
        self.hostNames = hostNames
        self.root = root
    }
}
