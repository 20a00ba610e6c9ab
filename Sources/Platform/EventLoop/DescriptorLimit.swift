import CLinux
import Glibc

/// The limit of open descriptors in this process.
extension EventLoop {
    /// Largest possible number of connections.
    package nonisolated static var descriptorLimit: Int {
        var limit = rlimit()
        unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        return Int(clamping: limit.rlim_cur)
    }

    /// Raises the limit, since thousands of remotes need more than the usual 1,024. libwebsockets allocates a table of this size, so the
    /// limit stays finite.
    nonisolated static func raiseDescriptorLimit() {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = max(min(limit.rlim_max, 65_536), min(limit.rlim_cur, 1_048_576))
        unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}
