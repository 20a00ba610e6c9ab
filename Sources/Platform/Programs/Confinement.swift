/// The command line that keeps a program away from the network and from the files of people and of the hub.
import BatonSeams
import Glibc

enum Confinement {
    private static let bubblewrap = "/usr/bin/bwrap"

    /// The program and its arguments as they are started.
    static func words(for call: ProgramCall) throws(SourceFault) -> [String] {
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
        return [bubblewrap] + rules(for: call) + ["--", call.path] + call.arguments
    }

    /// The system's programs and libraries can be read, the program's own folder too, and its job's folder can be written.
    private static func rules(for call: ProgramCall) -> [String] {
        var words = ["--unshare-all", "--die-with-parent", "--clearenv", "--ro-bind", "/usr", "/usr"]
        for name in ["bin", "sbin", "lib", "lib64"] { words += ["--symlink", "usr/\(name)", "/\(name)"] }
        for path in ["/opt", "/etc/alternatives", "/etc/ld.so.cache", "/etc/fonts", "/etc/fluidsynth"] {
            words += ["--ro-bind-try", path, path]
        }
        words += ["--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp"]
        let own = String(call.path[..<(call.path.lastIndex(of: "/") ?? call.path.startIndex)])
        if !own.isEmpty, !own.hasPrefix("/usr") { words += ["--ro-bind", own, own] }
        words += ["--bind", call.folder, call.folder, "--chdir", call.folder]
        for (name, value) in call.environment.sorted(by: { $0.key < $1.key }) { words += ["--setenv", name, value] }
        return words
    }
}
