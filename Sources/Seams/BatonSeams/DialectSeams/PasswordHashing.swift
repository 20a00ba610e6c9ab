/// Storage of passwords as hashes that are slow to compute, so that a stolen file reveals no password.

/// The hash of a password and its parameters, which are stored with it, so that later hashes may cost more.
package struct PasswordHash: Equatable, Sendable {
    /// The parameters with which it was computed.
    package var cost: PasswordCost
    /// Random bytes, different for each password, so that equal passwords have different hashes.
    package var salt: [UInt8]
    package var hash: [UInt8]

    package init(cost: PasswordCost, salt: [UInt8], hash: [UInt8]) {
        self.cost = cost
        self.salt = salt
        self.hash = hash
    }
}

/// The parameters of scrypt, which set the memory and the time for one hash.
package struct PasswordCost: Equatable, Sendable {
    /// `N` of scrypt, a power of two.
    package var rounds: Int
    /// `r` of scrypt.
    package var blocks: Int
    /// `p` of scrypt.
    package var lanes: Int

    package init(rounds: Int, blocks: Int, lanes: Int) {
        self.rounds = rounds
        self.blocks = blocks
        self.lanes = lanes
    }

    /// A hash with these parameters uses 32 MiB.
    package static let usual = PasswordCost(rounds: 1 << 15, blocks: 8, lanes: 3)
}

/// Computes and compares password hashes away from the loop, a few at once.
package protocol PasswordHashing: Sendable {
    /// The hash; `nil` when too many passwords are waiting.
    func hash(_ password: String) async -> PasswordHash?
    /// True when the password has this hash. Without a hash it takes as long and returns false. `nil` when too many are waiting.
    func matches(_ password: String, _ kept: PasswordHash?) async -> Bool?
}
