/// The time zone of this machine.
package import BatonCore
import Glibc

extension LocalTime {
    /// The zone of the machine, from `TZ` or `/etc/localtime`.
    package static let system = LocalTime { ms in
        var seconds = time_t(ms.count / 1_000)
        var parts = unsafe tm()
        unsafe localtime_r(&seconds, &parts)
        return unsafe Milliseconds(Int64(parts.tm_gmtoff) * 1_000)
    }
}
