import BatonSeams
import Crypto
import Testing

/// Passwords are kept as scrypt makes them, and compared away from their caller.
@Suite struct ScryptTests {
    private static let quick = PasswordCost(rounds: 16, blocks: 8, lanes: 1)

    @Test func `the hash is that of RFC 7914`() {
        let expected: [UInt8] = [
            0xfd, 0xba, 0xbe, 0x1c, 0x9d, 0x34, 0x72, 0x00, 0x78, 0x56, 0xe7, 0x19, 0x0d, 0x01, 0xe9, 0xfe,
            0x7c, 0x6a, 0xd7, 0xcb, 0xc8, 0x23, 0x78, 0x30, 0xe7, 0x73, 0x76, 0x63, 0x4b, 0x37, 0x31, 0x62,
        ]
        let cost = PasswordCost(rounds: 1024, blocks: 8, lanes: 16)
        let kept = PasswordHash(cost: cost, salt: Array("NaCl".utf8), hash: expected)

        #expect(Scrypt.matches("password", kept))
        #expect(!Scrypt.matches("Password", kept))
    }

    @Test func `a password of the usual cost is known again, and no other is`() {
        let kept = Scrypt.hash("a long sentence")

        #expect(kept.cost == PasswordCost(rounds: 32_768, blocks: 8, lanes: 3))
        #expect(kept.salt.count == 16 && kept.hash.count == 32)
        #expect(Scrypt.matches("a long sentence", kept))
        #expect(!Scrypt.matches("a long sentence ", kept))
    }

    @Test func `two hashes of one password differ`() {
        #expect(Scrypt.hash("same", cost: Self.quick) != Scrypt.hash("same", cost: Self.quick))
    }

    @Test(arguments: [
        PasswordCost(rounds: 0, blocks: 8, lanes: 1), PasswordCost(rounds: 1 << 30, blocks: 8, lanes: 1),
        PasswordCost(rounds: 3, blocks: 8, lanes: 1),
    ])
    func `a kept hash whose parameters make no sense matches nothing`(cost: PasswordCost) {
        #expect(!Scrypt.matches("x", PasswordHash(cost: cost, salt: [1], hash: [UInt8](repeating: 0, count: 32))))
    }

    @Test func `the queue knows a password, and none of an unknown name`() async {
        let queue = PasswordQueue(cost: Self.quick)
        let kept = await queue.hash("first password")

        #expect(await queue.matches("first password", kept) == true)
        #expect(await queue.matches("other password", kept) == false)
        #expect(await queue.matches("first password", nil) == false)
    }

    @Test func `a full queue refuses at once and goes on with the others`() async {
        let queue = PasswordQueue(cost: PasswordCost(rounds: 1 << 13, blocks: 8, lanes: 1))
        let answers = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<200 { group.addTask { await queue.hash("x") != nil } }
            return await group.reduce(into: [Bool]()) { $0.append($1) }
        }

        #expect(answers.contains(true) && answers.contains(false))
        #expect(answers.count { $0 } >= 64)
    }
}
