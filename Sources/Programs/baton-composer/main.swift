import BatonComposer
import BatonComposing
import Glibc
import ProcessLimits
import Synthesis

/// `baton-composer`: makes one piece of music. It reads a request as JSON from its standard input, says lines of JSON, and leaves the
/// files of the piece in `$BATON_JOB_DIR`. batond starts one for each job, and ends it with SIGTERM.
///
/// What it opens it opens first; from then on it has no right but to fill its files.

if CommandLine.arguments.dropFirst().first == "serve" { exit(Serve.run(Array(CommandLine.arguments.dropFirst(2)))) }

// Ends at once, also as the first process of a container, where the kernel would hold the signal back.
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
