import BatonCore
import BatonProtocol
package import BatonSeams

/// The dialects that can be switched, and how they were switched last.
@Loop
package final class DialectSwitches {
    private var parts: DialectParts?
    private var stored: [String: Bool] = [:]
    private var dialects: [any SwitchedDialect] = []

    /// Dialects in the order of their names.
    var all: [any SwitchedDialect] { dialects.sorted { $0.name < $1.name } }

    /// Adds a dialect, and switches it as it was switched last.
    package func add(_ dialect: any SwitchedDialect) async {
        dialects.append(dialect)
        await restore(dialect)
    }

    func open(_ parts: DialectParts, _ stored: [String: Bool]) async {
        self.parts = parts
        self.stored = stored
        for dialect in all { await restore(dialect) }
    }

    private func restore(_ dialect: any SwitchedDialect) async {
        guard let isOn = stored[dialect.name], dialect.facts.isOn != isOn else { return }
        await dialect.turn(on: isOn)
    }

    /// The dialect of a name.
    func dialect(_ name: String) throws(ProtocolFault) -> any SwitchedDialect {
        guard let dialect = dialects.first(where: { $0.name == name }) else {
            throw ProtocolFault(.notFound, "This hub has no dialect “\(name)”.", at: "/p/dialect")
        }
        return dialect
    }

    /// Returns false for one that is so already. What is set holds over restarts.
    func turn(_ name: String, on isOn: Bool) async throws(ProtocolFault) -> Bool {
        let dialect = try dialect(name)
        guard dialect.facts.isOn != isOn else { return false }
        guard let parts else { throw PasswordRegistry.closed }
        try await ProtocolFault.translating { () async throws(SourceFault) in
            try await parts.storing { store throws(SourceFault) in try store.turn(name, on: isOn) }
        }
        stored[name] = isOn
        await dialect.turn(on: isOn)
        return true
    }

    func passwordsChanged(of name: String) {
        for dialect in dialects where dialect.name == name { dialect.passwordsChanged() }
    }
}
