import BatonSeams

/// How the hub ends: its parts stop in one order, and each of them once.
extension Hub {
    /// One part that stops with the hub.
    struct Closing {
        enum Way {
            /// Without waiting, in the same turn of the loop as those before it.
            case atOnce(@Loop (Hub) -> Void)
            /// The next part stops when it has.
            case waiting(@Loop (Hub) async -> Void)
        }

        let part: String
        let way: Way

        init(_ part: String, _ way: Way) {
            self.part = part
            self.way = way
        }
    }

    /// First, in one turn of the loop, what begins something by itself; so nothing new comes, and connections end. The library, servers and
    /// users stop after the players, since they keep what the others still tell.
    static let closing: [Closing] = [
        Closing("players.stopListening", .atOnce { $0.players.stopListening() }),
        Closing("hold", .atOnce { $0.hold.close() }),
        Closing("memoryRelease", .atOnce { $0.memoryRelease.close() }),
        Closing("people", .atOnce { $0.people.close() }),
        Closing("privateRooms", .atOnce { $0.privateRooms.close() }),
        Closing("emptyRooms", .atOnce { $0.emptyRooms.close() }),
        Closing("sleepAlarms", .atOnce { $0.sleepAlarms.close() }),
        Closing("chapterAlarms", .atOnce { $0.chapterAlarms.close() }),
        Closing("deviceRegistry", .atOnce { $0.deviceRegistry?.close() }),
        Closing("sources", .atOnce { $0.sources.close() }),
        Closing("dialects", .atOnce { for dialect in $0.dialects.all { dialect.close() } }),
        Closing("changes", .atOnce { $0.changes.close() }),
        Closing("joining", .waiting { await $0.joining.close() }),
        Closing("silences", .waiting { await $0.silences.close() }),
        Closing("places", .waiting { await $0.places.close() }),
        Closing("ahead", .waiting { await $0.ahead.close() }),
        Closing("podcasts", .waiting { await $0.podcasts.close() }),
        Closing("keeping", .waiting { await $0.keeping.close() }),
        Closing("endless", .waiting { await $0.endless.close() }),
        Closing("clips", .waiting { await $0.clips.close() }),
        Closing("generating", .waiting { await $0.generating.close() }),
        Closing("streams", .waiting { await $0.streams.close() }),
        Closing("transcodes", .waiting { await $0.transcodes.close() }),
        Closing("radio.recordings", .waiting { await $0.radio.recordings.close() }),
        Closing("radio.saving", .waiting { await $0.radio.saving.close() }),
        Closing("players", .waiting { await $0.players.close() }),
        Closing("library", .waiting { await $0.library.close() }),
        Closing("serverLists", .waiting { await $0.serverLists.close() }),
        Closing("mirroredLists", .waiting { await $0.mirroredLists.close() }),
        Closing("mirrorPasses", .waiting { await $0.mirrorPasses.close() }),
        Closing("queueSync", .waiting { await $0.queueSync.close() }),
        Closing("serverPlaces", .waiting { await $0.serverPlaces.close() }),
        Closing("delivery", .waiting { await $0.delivery.close() }),
        Closing("listening", .waiting { await $0.listening.close() }),
        Closing("savedQueues", .waiting { await $0.savedQueues.close() }),
        Closing("users", .waiting { await $0.users?.close() }),
    ]

    /// Tells all clients, keeps everything, lets the players go.
    package func close() async { await close(Self.closing) }

    func close(_ parts: [Closing]) async {
        for part in parts {
            switch part.way {
            case .atOnce(let close): close(self)
            case .waiting(let close): await close(self)
            }
        }
    }
}
