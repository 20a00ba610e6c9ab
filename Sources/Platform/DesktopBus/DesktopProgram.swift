import CLinux
import Glibc

/// Programs of the desktop that are started for a person, such as its browser.
package enum DesktopProgram {
    /// Opens an address in the program that the person has chosen for it. False where xdg-open is not installed.
    package static func open(_ address: String) -> Bool { start("xdg-open", address) }

    /// Starts a program that lives on by itself, with nothing of ours open.
    private static func start(_ program: String, _ argument: String) -> Bool {
        // Its end is not waited for.
        signal(SIGCHLD, SIG_IGN)
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDWR, 0)
        unsafe posix_spawn_file_actions_adddup2(&actions, 0, 1)
        unsafe posix_spawn_file_actions_adddup2(&actions, 0, 2)
        unsafe posix_spawn_file_actions_addclosefrom_np(&actions, 3)
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        // A group of its own, so that an interrupt of this program is none of the browser; no signal blocked or ignored.
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe posix_spawnattr_setsigmask(&attributes, &signals)
        unsafe sigfillset(&signals)
        unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
        let words: [UnsafeMutablePointer<CChar>?] = unsafe [strdup(program), strdup(argument), nil]
        defer { unsafe words.forEach { unsafe free($0) } }
        var pid = pid_t()
        return unsafe posix_spawnp(&pid, program, &actions, &attributes, words, environ) == 0
    }
}
