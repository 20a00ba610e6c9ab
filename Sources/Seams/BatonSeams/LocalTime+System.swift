/// The time zone of this machine.
package import BatonCore
import Glibc

extension LocalTime {
    /// The zone of the machine, from `TZ` or `/etc/localtime`.
    package static let system = LocalTime { ms in
        var seconds = time_t(ms.seconds)
        var parts = unsafe tm()
        unsafe localtime_r(&seconds, &parts)
        return unsafe Milliseconds.seconds(parts.tm_gmtoff)
    }
}
