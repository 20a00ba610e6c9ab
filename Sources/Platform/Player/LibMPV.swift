package import BatonCore
import BatonSeams
import CMPV
import Synchronization
import Threads

/// libmpv as a library of this process: opened when it is first needed, since binding it takes
/// longer than everything else a hub does before it answers.
package enum LibMPV {
    /// Whether it is installed; `nil` until it was looked for.
    @Loop package private(set) static var isThere: Bool?

    /// How many players there are, those included that are being taken apart.
    static let handles = Atomic(0)
    package static var handleCount: Int { handles.load(ordering: .relaxed) }

    /// Binds the library, on a thread of its own, so that the first play need not wait for it.
    @Loop package static func prepare() async {
        isThere = await OwnThread.run { open() }
    }

    /// The devices that there are now, asked of a player that is made for this question and plays nothing. Sound servers and
    /// sound cards may take long to answer; this waits for them on a thread of its own.
    @Loop package static func devices() async -> [AudioDevice] {
        let options = PlayerOption.all(for: .null, volume: 0, speed: 1, paused: true)
        return await OwnThread.run {
            guard case .success(let core) = RawCore.make(options: options, files: FileStreams()) else { return [] }
            defer { core.destroy() }
            return AudioDevice.list(core.awaited("audio-device-list"))
        }
    }

    /// False when there is none. Blocks for some tens of milliseconds the first time.
    static func open() -> Bool { baton_mpv_open() == 0 }
}
