import BatonClient
import BatonProtocol
import BatonSeams

/// Findings about offline copies on the hub's disk: their number, free space, and failed downloads.
extension HubCheckup {
    static func kept(_ hub: ReconnectingHub) async throws -> KeptList? {
        do {
            return try await hub.kept().list
        } catch is MissingProfile {
            return nil
        } catch let error as WireError where error.known == .unavailable {
            return nil
        }
    }

    var keeping: [Finding] {
        guard let kept, let section = mirror.keeping else { return [] }
        let spare = kept.spare.map { "; the disk has \(ByteSize.text($0)) left" } ?? ""
        let size = "\(ByteSize.text(section.bytes)) of \(ByteSize.text(section.limit))\(spare)"
        let sentence = "\(section.whole) of \(section.tracks) tracks are kept, \(size)."
        guard let why = section.sentence ?? kept.rows.lazy.compactMap(\.sentence).first else { return [.ok("kept", sentence)] }
        let advice =
            kept.spare.map { $0 < 1 << 20 } ?? false
            ? "Make room on the disk, or keep less: baton keep drop N. Playing goes on."
            : "See baton keep list. More room: baton keep limit SIZE. What cannot be fetched is tried again by itself."
        return [.warn("kept", "\(sentence) \(why)", advice: advice)]
    }
}
