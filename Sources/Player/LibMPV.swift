import BatonSeams
import CMPV

/// libmpv as a library of this process: opened when it is first needed, since binding it takes
/// longer than everything else a hub does before it answers.
package enum LibMPV {
    /// Whether it is installed; `nil` until somebody has looked.
    @Loop package private(set) static var isThere: Bool?

    /// Binds the library, on a thread of its own, so that the first play need not wait for it.
    @Loop package static func prepare() async {
        isThere = await onOwnThread { open() }
    }

    /// False when there is none. Blocks for some tens of milliseconds the first time.
    static func open() -> Bool { baton_mpv_open() == 0 }
}
