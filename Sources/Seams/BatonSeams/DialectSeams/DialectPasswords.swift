/// Passwords for dialects whose protocol has no devices to pair: a program that knows one has its role.
package import BatonCore
package import BatonProtocol

/// A password without its text.
package struct DialectPassword: Equatable, Sendable {
    /// The name that the hub's owner gave it, which is unique for the dialect.
    package var name: String
    /// The role of connections that are let in by it.
    package var role: Role
    /// Wall clock time at which it was made.
    package var createdMs: Milliseconds

    package init(name: String, role: Role, createdMs: Milliseconds) {
        self.name = name
        self.role = role
        self.createdMs = createdMs
    }
}

/// Checks passwords for dialects. The hub's owner makes and removes them by commands; `SwitchedDialect.passwordsChanged` tells the dialect.
@Loop
package protocol DialectPasswords: AnyObject {
    /// The passwords of a dialect in the order of their names. A password that was removed and made again under its name has another
    /// `createdMs`.
    func passwords(of dialect: String) -> [DialectPassword]
    /// The password with this text. Throws `wrongPassword` when there is none, `rateLimited` when the address has tried too many wrong ones, and
    /// `busy` when too many passwords wait.
    func check(_ password: String, of dialect: String, from address: String) async throws(ProtocolFault) -> DialectPassword
}

/// A password in stored form.
package struct StoredDialectPassword: Equatable, Sendable {
    package var dialect: String
    package var password: DialectPassword
    package var hash: PasswordHash

    package init(dialect: String, password: DialectPassword, hash: PasswordHash) {
        self.dialect = dialect
        self.password = password
        self.hash = hash
    }
}

/// The store of these passwords, and of what was switched on or off. Blocks on the disk; never called on the loop.
package protocol DialectStorage: Sendable {
    func passwords() throws(SourceFault) -> [StoredDialectPassword]
    func add(_ password: StoredDialectPassword) throws(SourceFault)
    func remove(passwordNamed name: String, of dialect: String) throws(SourceFault)
    /// Dialects that were switched, and whether they were switched on.
    func switches() throws(SourceFault) -> [String: Bool]
    func turn(_ dialect: String, on isOn: Bool) throws(SourceFault)
}
