/// Accounts on disk.
import BatonCore
import BatonSeams
import Testing

@testable import Stores

struct AccountTests {
    @Test func `accounts keep their order and are changed in their place`() throws {
        try withSources { store in
            var home = SourceAccount(name: "home", title: "At home", kind: "subsonic", url: "http://nas:4040", options: ["quality": "raw"])
            let cloud = SourceAccount(name: "cloud", kind: "chadmusic", url: "https://music.example/a b")
            try store.store(home)
            try store.store(cloud)
            #expect(try store.accounts() == [home, cloud])

            home.title = "Attic"
            home.isEnabled = false
            home.options = ["quality": "opus:128", "sync_queue": "yes"]
            try store.store(home)
            #expect(try store.accounts() == [home, cloud])
        }
    }

    @Test func `what is kept for an account goes with it`() throws {
        try withSources { store in
            try store.store(SourceAccount(name: "home", kind: "subsonic", url: "http://nas"))
            store.memory(of: "home").store("plain", "login")
            try store.add(.stars(ItemURI("home:track/1"), 3), for: "home", atMs: 1)
            try store.mirror(Music().page)

            try store.remove("home")
            #expect(try store.accounts().isEmpty)
            #expect(store.memory(of: "home").value("login") == nil)
            #expect(try store.counts().isEmpty)
            #expect(try store.status(of: "home") == nil)
            try store.remove("home")
        }
    }
}
