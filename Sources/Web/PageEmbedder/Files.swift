// Reads and writes whole files. Errors end the program with a sentence, which fails the build.
import Glibc

/// Prints the sentence in the build's output and ends the program.
func refuse(_ sentence: String) -> Never {
    // Swift 6 refuses the C variable `stderr`, because threads may share it.
    let line = Array("\(sentence)\n".utf8)
    _ = Glibc.write(STDERR_FILENO, line, line.count)
    exit(1)
}

func bytes(of path: String) -> [UInt8] {
    guard let file = fopen(path, "r") else { refuse("\(path): error: it cannot be read: \(reason()).") }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 65536)
    while case let count = fread(&piece, 1, piece.count, file), count > 0 { bytes += piece[..<count] }
    guard ferror(file) == 0 else { refuse("\(path): error: it cannot be read: \(reason()).") }
    return bytes
}

func text(of path: String) -> String {
    guard let text = String(validating: bytes(of: path), as: UTF8.self) else { refuse("\(path): error: it is not UTF-8.") }
    return text
}

func write(_ text: String, to path: String) {
    guard let file = fopen(path, "w") else { refuse("\(path): error: it cannot be written: \(reason()).") }
    guard fputs(text, file) >= 0, fclose(file) == 0 else { refuse("\(path): error: it cannot be written: \(reason()).") }
}

private func reason() -> String { String(cString: strerror(errno)) }
