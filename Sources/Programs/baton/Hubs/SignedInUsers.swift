import BatonSeams
import BatonWire
import Configuration
import Glibc

/// The tokens of users who are signed in by this program, one for each hub, in a file that only its owner may read.
struct SignedInUsers: Sendable {
    let folder: String

    func token(at hub: String) throws(KeyStoreFault) -> String? { try all()[hub] }

    func store(_ token: String?, at hub: String) throws(KeyStoreFault) {
        var tokens = try all()
        guard tokens[hub] != token else { return }
        tokens[hub] = token
        let bytes = JSONWriter.bytes { writer in
            writer.object { file in
                file.name("users")
                file.array { list in for row in tokens.sorted(by: { $0.key < $1.key }) { Self.write(row, into: &list) } }
            }
        }
        try SecretFile("users", in: folder).store(bytes)
    }

    private static func write(_ row: (key: String, value: String), into list: inout JSONWriter) {
        list.object {
            $0.member("hub", row.key)
            $0.member("token", row.value)
        }
    }

    private func all() throws(KeyStoreFault) -> [String: String] {
        guard access("\(folder)/users", F_OK) == 0, let bytes = try SecretFile("users", in: folder).load() else { return [:] }
        guard let list = (try? JSON.parse(bytes.span, limits: .standard))?["users"]?.array else {
            throw KeyStoreFault("\(folder)/users cannot be read. Move it away and sign in again: baton signin")
        }
        var tokens: [String: String] = [:]
        for row in list {
            if let hub = row["hub"]?.string, let token = row["token"]?.string { tokens[hub] = token }
        }
        return tokens
    }
}
