import BatonCore
import BatonProtocol
import BatonSeams
import BatonWire

/// A picture that is being sent: one at a time, piece by piece, and only while no other message waits.
struct PictureTransfer {
    /// The command that requested it.
    let command: Int
    let number: Int
    let picture: Picture
    var sent = 0

    var isOver: Bool { sent >= picture.bytes.count }

    /// The next piece, in a message of at most `longest` bytes.
    mutating func next(within longest: Int?) -> ArtFrame {
        let head: ArtFrame.Head? =
            sent == 0
            ? ArtFrame.Head(
                total: picture.bytes.count, format: ArtFrame.format(named: picture.format.rawValue), width: picture.width,
                height: picture.height) : nil
        let most = longest.map { min($0 - ArtFrame.mostHeader, ArtFrame.mostData) } ?? ArtFrame.mostData
        let end = min(sent + most, picture.bytes.count)
        let data = Array(picture.bytes[sent..<end])
        sent = end
        return ArtFrame(transfer: number, head: head, isLast: isOver, data: data)
    }
}

extension Session {
    /// Limit for watches, which have little memory and a slow radio.
    static let watchPictureBytes = 16 * 1024

    /// Sends a picture beside the answer. A request for another one cancels the one before.
    func askForPicture(_ frame: CommandFrame, in context: CommandContext, receivedUs: Microseconds) {
        let asked = AskedForPicture()
        if takesPictures {
            context.pictures = .init(mostBytes: view == .watch ? Self.watchPictureBytes : nil) { asked.picture = $0 }
        }
        pass(frame, as: .artGet, in: context) { [self] reply in
            asked.isAnswered = true
            announce(asked.picture, after: reply, receivedUs: receivedUs)
        }
        guard !asked.isAnswered, isLive else { return }
        endTransfer()
        if let older = askingForPicture, let lane {
            companion.door.cancel(older, on: lane, with: ProtocolFault(.cancelled, "A newer picture was asked for."))
        }
        askingForPicture = frame.id
    }

    private func announce(_ picture: Picture?, after reply: Reply, receivedUs: Microseconds) {
        guard let picture, isLive else { return answer(reply, receivedUs) }
        endTransfer()
        var reply = reply
        reply.data = ArtTransfer(
            number: transfers, total: picture.bytes.count, format: picture.format.rawValue, width: picture.width, height: picture.height)
        answer(reply, receivedUs)
        begin(picture, for: reply.id)
    }

    func begin(_ picture: Picture, for command: Int) {
        endTransfer()
        transfer = PictureTransfer(command: command, number: transfers, picture: picture)
        transfers = (transfers + 1) & 0xFFFF
        link?.wantWritable()
    }

    /// Ends the transfer and cancels it at the client.
    func endTransfer() {
        guard let ended = transfer else { return }
        transfer = nil
        // The client knows nothing of a picture before its first piece.
        if ended.sent > 0 { send(Frame(payload: ArtFrame(transfer: ended.number, isCancelled: true).bytes, isBinary: true)) }
    }

    /// Sends one piece if the pipe has room and neither an answer nor a state waits.
    func sendPicture() {
        guard var sending = transfer, let link, phase == .live, !hasQueued else { return }
        guard link.isReady else { return link.wantWritable() }
        link.write(Frame(payload: sending.next(within: longest).bytes, isBinary: true))
        transfer = sending.isOver ? nil : sending
        if transfer != nil { link.wantWritable() }
    }
}

/// Progress of one request for a picture.
@Loop
private final class AskedForPicture {
    var picture: Picture?
    var isAnswered = false
}
