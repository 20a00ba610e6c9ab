import Glibc

/// Tries everything that a confined program must not be able to do, for tests and for checking a machine's kernel.
package enum Attempt {
    /// One line for each attempt, with the kernel's answer.
    package static func all(in folder: String) -> [String] {
        attempts(in: folder).map { name, attempt in
            errno = 0
            let isDone = attempt() >= 0
            return "\(name): " + (isDone ? "done" : unsafe String(cString: strerror(errno)))
        }
    }

    private static func attempts(in folder: String) -> [(String, () -> Int32)] {
        [
            ("open a file", { unsafe open("/etc/passwd", O_RDONLY) }),
            ("open its own program", { unsafe open("/proc/self/exe", O_RDONLY) }),
            ("open a folder", { unsafe open(folder, O_RDONLY | O_DIRECTORY) }),
            ("make a file", { unsafe open(folder + "/made", O_WRONLY | O_CREAT, 0o600) }),
            ("make a folder", { unsafe mkdir(folder + "/made", 0o700) }),
            ("make a link", { unsafe symlink("/etc", folder + "/made") }),
            ("move another's file", { unsafe rename("/etc/hostname", "/etc/hostname.moved") }),
            ("move a file out", { unsafe rename(folder + "/moved", "/tmp/baton-moved") }),
            ("reach the network", { socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0) }),
            ("reach another program", { socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0) }),
            ("start a program", { unsafe execv("/bin/true", [nil]) }),
            ("end another process", { kill(getppid(), 0) }),
        ]
    }
}
