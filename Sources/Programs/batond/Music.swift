import BatonCore
import BatonLibrary
import BatonSeams

/// The music offered at the first start: the music folders if they contain music, else the built-in album.
struct Music: Sendable {
    var place: ItemURI?
    /// Entries for an empty queue. Whole music folders are not queued without a request.
    var offers: [NewEntry] = []

    static func find(in folders: [String], _ library: LocalLibrary, demo: String?, _ log: Log) async -> Music {
        for folder in folders {
            do throws(SourceFault) {
                _ = try await library.expand(ItemURI(folder), trust: .musicFolders)
                return Music(place: ItemURI(folder))
            } catch  where error.code == .tooLarge {
                return Music(place: ItemURI(folder))
            } catch {
                continue  // The folder is empty or missing.
            }
        }
        guard let demo else { return Music() }
        do throws(SourceFault) {
            return Music(place: ItemURI(demo), offers: try await DemoAlbum(in: demo, item: LocalLibrary.item).offers())
        } catch {
            log(.warning, "The built-in album could not be made: \(error.sentence)")
            return Music()
        }
    }
}
