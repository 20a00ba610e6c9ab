/// Accounts on disk.
import BatonCore
import BatonSeams
import Testing

@testable import Stores

struct AccountTests {
    @Test func `accounts keep their order and are changed in their place`() throws {
        try withSources { accounts in
            var home = SourceAccount(name: "home", title: "At home", kind: "subsonic", url: "http://nas:4040", options: ["quality": "raw"])
            let cloud = SourceAccount(name: "cloud", kind: "chadmusic", url: "https://music.example/a b")
            try accounts.store(home)
            try accounts.store(cloud)
            #expect(try accounts.accounts() == [home, cloud])

            home.title = "Attic"
            home.isEnabled = false
            home.options = ["quality": "opus:128", "sync_queue": "yes"]
            try accounts.store(home)
            #expect(try accounts.accounts() == [home, cloud])
        }
    }

    @Test func `what is kept for an account goes with it`() throws {
        try withSources { accounts in
            try accounts.store(SourceAccount(name: "home", kind: "subsonic", url: "http://nas"))
            accounts.memory(of: "home").store("plain", "login")
            try accounts.add(.stars(ItemURI("home:track/1"), 3), for: "home", atMs: 1)
            try accounts.mirror(Music().page)

            try accounts.remove("home")
            #expect(try accounts.accounts().isEmpty)
            #expect(accounts.memory(of: "home").value("login") == nil)
            #expect(try accounts.counts().isEmpty)
            #expect(try accounts.status(of: "home") == nil)
            try accounts.remove("home")
        }
    }
}
