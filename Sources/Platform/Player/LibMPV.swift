package import BatonCore
import BatonSeams
import CMPV
import Synchronization
import Threads

/// libmpv, loaded into this process at first use, since loading it takes longer than all the rest of a hub's start.
package enum LibMPV {
    /// Whether it is installed; `nil` until it was searched.
    @Loop package private(set) static var isThere: Bool?

    /// Number of players, including those that are being destroyed.
    static let handles = Atomic(0)
    package static var handleCount: Int { handles.load(ordering: .relaxed) }

    /// Loads the library on a thread of its own, so that the first playback does not wait for it.
    @Loop package static func prepare() async {
        isThere = await OwnThread.run { open() }
    }

    /// The current devices, from a player that is created for this purpose and plays nothing. Sound servers and sound cards may answer
    /// slowly; this waits for them on a thread of its own.
    @Loop package static func devices() async -> [AudioDevice] {
        let options = PlayerOption.all(for: .null, volume: 0, speed: 1, paused: true)
        return await OwnThread.run {
            guard case .success(let core) = RawCore.make(options: options, files: FileStreams()) else { return [] }
            defer { core.destroy() }
            return AudioDevice.list(core.awaited("audio-device-list"))
        }
    }

    /// False if it is not installed. Blocks for some tens of milliseconds at first use.
    static func open() -> Bool { baton_mpv_open() == 0 }
}
