/// The command line that isolates a program from the network, from the files of people and of the hub, and from most of the machine.
///
/// bubblewrap creates the namespaces. It drops all capabilities and ways to regain them, so that read-only mounts cannot be changed.
/// Inside, programs of util-linux, which every Debian machine has, set the limits: processes are counted in the namespace only if the limit
/// is set there.
import BatonSeams
import Glibc

enum Confinement {
    private static let bubblewrap = "/usr/bin/bwrap"
    private static let (changeUser, limit, endFirst) = ("/usr/bin/setpriv", "/usr/bin/prlimit", "/usr/bin/choom")

    /// The user `nobody`. Programs run as this user if the hub is root: root in a namespace is still root for the files outside, and no
    /// limit of processes applies to it.
    static let user: uid_t = 65_534

    /// The full command line for the program.
    static func words(for call: ProgramCall, within limits: ProgramLimits) throws(SourceFault) -> [String] {
        guard call.path.hasPrefix("/"), unsafe access(call.path, X_OK) == 0 else {
            throw SourceFault(.notFound, "\(call.path) is no program that can be run.")
        }
        guard call.isConfined else { return [call.path] + call.arguments }
        guard unsafe access(bubblewrap, X_OK) == 0 else {
            throw SourceFault(
                .unsupported,
                "\(call.path) is not run without bubblewrap, which keeps it from the network and from your files. Install the package bubblewrap, or set sandbox = off for this worker."
            )
        }
        let isRoot = geteuid() == 0
        for tool in [limit, endFirst] + (isRoot ? [changeUser] : []) where unsafe access(tool, X_OK) != 0 {
            throw SourceFault(
                .unsupported,
                "\(call.path) is not run without \(tool), which bounds what it may do. Install the package util-linux, or set sandbox = off for this worker."
            )
        }
        if isRoot, !isForAll(call.path) {
            throw SourceFault(
                .unsupported,
                "\(call.path) is not run with the rights of root, and the user nobody may not read it. Allow it: chmod o+rx \(call.path) \(folder(of: call.path))"
            )
        }
        return [bubblewrap] + rights(isRoot: isRoot) + files(for: call) + ["--"]
            + (isRoot
                ? [changeUser, "--reuid=\(user)", "--regid=\(user)", "--clear-groups", "--bounding-set=-all", "--inh-caps=-all", "--"] : [])
            + bounds(limits) + [call.path] + call.arguments
    }

    /// A hub that is root needs two capabilities for a moment, to change the user; in a user namespace of one user it could not.
    private static func rights(isRoot: Bool) -> [String] {
        let words = ["--die-with-parent", "--clearenv", "--cap-drop", "ALL"]
        guard isRoot else { return words + ["--unshare-all", "--unshare-user", "--disable-userns"] }
        return words + ["CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP"].flatMap { ["--cap-add", $0] }
            + ["--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try"]
    }

    /// Mounts: the system's programs and libraries and the program's own folder can be read, and its job's folder can be written.
    private static func files(for call: ProgramCall) -> [String] {
        var words = ["--ro-bind", "/usr", "/usr"]
        for name in ["bin", "sbin", "lib", "lib64"] { words += ["--symlink", "usr/\(name)", "/\(name)"] }
        for path in ["/opt", "/etc/alternatives", "/etc/ld.so.cache", "/etc/fonts", "/etc/fluidsynth"] {
            words += ["--ro-bind-try", path, path]
        }
        words += ["--proc", "/proc", "--dev", "/dev"]
        // Files there are in memory.
        for path in ["/dev/shm", "/tmp"] { words += ["--size", String(temporaryBytes), "--perms", "1777", "--tmpfs", path] }
        let own = folder(of: call.path)
        // bubblewrap would make the folders above a private one accessible to root only.
        for path in above(own) + above(call.folder) { words += ["--perms", "0755", "--dir", path] }
        if own != "/", !own.hasPrefix("/usr/"), own != "/usr" { words += ["--ro-bind", own, own] }
        words += ["--bind", call.folder, call.folder, "--remount-ro", "/dev", "--remount-ro", "/", "--chdir", call.folder]
        for (name, value) in call.environment.sorted(by: { $0.key < $1.key }) { words += ["--setenv", name, value] }
        return words
    }

    private static let temporaryBytes = 256 << 20

    /// Limits of the program. If memory runs out anyway, the kernel ends the program first.
    private static func bounds(_ limits: ProgramLimits) -> [String] {
        [
            limit, "--data=\(limits.memoryBytes)", "--nproc=\(limits.processes)", "--fsize=\(limits.fileBytes)",
            // The signal of the lower limit can be told from others.
            "--cpu=\(limits.processorSeconds):\(limits.processorSeconds + 5)", "--nofile=\(limits.openFiles)", "--core=0", "--",
            endFirst, "-n", "1000", "--",
        ]
    }

    private static func folder(of path: String) -> String {
        let end = path.lastIndex(of: "/") ?? path.startIndex
        return end == path.startIndex ? "/" : String(path[..<end])
    }

    /// Folders above this one, from the top down, without those that are mounted anyway.
    private static func above(_ folder: String) -> [String] {
        let names = folder.split(separator: "/").dropLast()
        guard let top = names.first, !["usr", "opt", "etc", "proc", "dev"].contains(top) else { return [] }
        return names.indices.map { "/" + names[...$0].joined(separator: "/") }
    }

    /// Whether users without special rights may read and run a program.
    private static func isForAll(_ path: String) -> Bool {
        [path, folder(of: path)].allSatisfy { path in
            var status = stat()
            let wanted = S_IROTH | S_IXOTH
            return unsafe stat(path, &status) == 0 && status.st_mode & wanted == wanted
        }
    }
}
