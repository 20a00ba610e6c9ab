/// What the picture of a station is called.
///
/// Pictures are kept by their names, here and in browsers, for as long as there is room. The one at a station's address may become
/// another, so its name changes every day and whenever the station is edited, and is then fetched again.
import BatonCore

enum StationPicture {
    private static let dayMs: Int64 = 86_400_000

    /// `nil` for a station without one.
    static func name(of kept: KeptStation, wallMs: Int64) -> String? {
        let station = kept.station
        guard let picture = station.picture else { return nil }
        var version: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in "\(picture)\n\(station.url)\n\(station.title)\n\(wallMs / dayMs)".utf8 {
            version = (version ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
        }
        return "\(kept.id)-\(String(version, radix: 36))"
    }

    /// The station of a name of today or of any other day.
    static func id(of name: String) -> Int? { name.split(separator: "-", maxSplits: 1).first.flatMap { Int($0) } }
}
