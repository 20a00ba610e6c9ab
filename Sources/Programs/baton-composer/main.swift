import BatonComposer
import Glibc
import ProcessLimits
import Synthesis

/// `baton-composer`: generates one piece of music. It reads a JSON request from standard input, prints lines of JSON,
/// and writes the files of the piece to `$BATON_JOB_DIR`. batond starts one process for each job, and ends it with
/// SIGTERM.
///
/// It opens all files at the start; afterwards it has only the right to write them.

if CommandLine.arguments.dropFirst().first == "serve" { exit(Serve.run(Array(CommandLine.arguments.dropFirst(2)))) }

// Exits at once on a signal. As process 1 of a container it would otherwise not receive the signal, because the
// kernel ignores it without a handler.
for number in [SIGTERM, SIGINT] { _ = signal(number, Job.endAtOnce) }
Confinement.endWithParent()
Confinement.behind()

if CommandLine.arguments.contains("--help") {
    print(Help.text)
} else if CommandLine.arguments.contains("--words") {
    print(WordTable.document, terminator: "")
} else if CommandLine.arguments.dropFirst().first == "store" {
    exit(Job.run(Storing.run))
} else if CommandLine.arguments.dropFirst().first == "check" {
    exit(Job.run(Job.check))
} else {
    exit(Job.run())
}
