/// Keys that tell the episodes of a podcast apart, and ids for their URIs.
package enum EpisodeKeys {
    /// The episodes, each with its own key. Two with the same GUID are told apart by the address of their sound; the same address twice is one
    /// episode. `shared` counts those with the GUID of another.
    package static func apart(_ episodes: [Episode]) -> (episodes: [Episode], shared: Int) {
        var urls: [String: String] = [:]
        var apart: [Episode] = []
        var shared = 0
        for var episode in episodes {
            if let other = urls[episode.key] {
                guard other != episode.url else { continue }
                shared += 1
                episode.key += "\n" + episode.url
                guard urls[episode.key] == nil else { continue }
            }
            urls[episode.key] = episode.url
            apart.append(episode)
        }
        return (apart, shared)
    }

    /// The id of an episode in its item URI: a hash (FNV-1a) of the podcast's first address and the episode's key, so that it is the same after the
    /// podcast was removed and added again.
    package static func id(of key: String, in home: String) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in "\(home)\n\(key)".utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
