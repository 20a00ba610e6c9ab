/// Names for the pictures of stations.
///
/// The hub and browsers cache pictures by name. A station may change the picture at its address, so the name changes
/// daily and with each edit of the station; the picture is then fetched again.
import BatonCore

enum StationPicture {
    private static let dayMs: Milliseconds = 86_400_000

    /// The picture's name; `nil` for a station without a picture.
    static func name(of stored: StoredStation, wallMs: Milliseconds) -> String? {
        let station = stored.station
        guard let picture = station.picture else { return nil }
        var version: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in "\(picture)\n\(station.url)\n\(station.title)\n\(wallMs / dayMs)".utf8 {
            version = (version ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
        }
        return "\(stored.id)-\(String(version, radix: 36))"
    }

    /// The station's id in a name, whatever its date.
    static func id(of name: String) -> Int? { name.split(separator: "-", maxSplits: 1).first.flatMap { Int($0) } }
}
