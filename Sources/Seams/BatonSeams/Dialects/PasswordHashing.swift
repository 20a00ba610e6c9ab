/// How passwords are kept: as hashes that take long to make, so that a stolen file tells no password.

/// The hash of a password, and the parameters by which it was made. They are kept with it, so that later hashes may cost more.
package struct PasswordHash: Equatable, Sendable {
    package var cost: PasswordCost
    package var salt: [UInt8]
    package var hash: [UInt8]

    package init(cost: PasswordCost, salt: [UInt8], hash: [UInt8]) {
        self.cost = cost
        self.salt = salt
        self.hash = hash
    }
}

/// What scrypt is told: how much memory and how much time one hash takes.
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

    /// 32 MiB for one hash.
    package static let usual = PasswordCost(rounds: 1 << 15, blocks: 8, lanes: 3)
}

/// Makes and compares such hashes away from the loop, a few at once.
package protocol PasswordHashing: Sendable {
    /// `nil` when too many passwords wait already.
    func hash(_ password: String) async -> PasswordHash?
    /// Whether it is the password of this hash. Without a hash it takes as long and is not. `nil` when too many wait already.
    func matches(_ password: String, _ kept: PasswordHash?) async -> Bool?
}
