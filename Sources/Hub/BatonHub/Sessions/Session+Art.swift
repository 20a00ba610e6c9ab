import BatonCore
import BatonProtocol
import BatonSeams

/// A picture on its way to a remote: one at a time, piece by piece, and only while nothing else waits
/// to be said.
struct PictureTransfer {
    /// The command that asked for it.
    let command: Int
    let number: Int
    let picture: Picture
    var sent = 0

    var isOver: Bool { sent >= picture.bytes.count }

    mutating func next() -> ArtFrame {
        let head: ArtFrame.Head? =
            sent == 0
            ? ArtFrame.Head(
                total: picture.bytes.count, format: ArtFrame.format(named: picture.format.rawValue), width: picture.width,
                height: picture.height) : nil
        let end = min(sent + ArtFrame.mostData, picture.bytes.count)
        let data = Array(picture.bytes[sent..<end])
        sent = end
        return ArtFrame(transfer: number, head: head, isLast: isOver, data: data)
    }
}

extension Session {
    /// A watch has little memory, and a slow radio.
    static let watchPictureBytes = 16 * 1024

    /// Whoever asks for another picture does not want the one before any more.
    func makeRoomForPicture() {
        endTransfer()
        guard let older = askingForPicture, let question = asking.removeValue(forKey: older) else { return }
        question.cancel()
        answer(Answer(older, ProtocolFault(.cancelled, "A newer picture was asked for.")), hub.clock.nowUs)
    }

    func begin(_ picture: Picture, for command: Int) {
        endTransfer()
        transfer = PictureTransfer(command: command, number: transfers, picture: picture)
        transfers = (transfers + 1) & 0xFFFF
        link?.wantWritable()
    }

    /// What came of it is to be forgotten.
    func endTransfer() {
        guard let ended = transfer else { return }
        transfer = nil
        // Nobody was told of a picture of which nothing has left.
        if ended.sent > 0 { send(Frame(payload: ArtFrame(transfer: ended.number, isCancelled: true).bytes, isBinary: true)) }
    }

    /// One piece, when the pipe has room and no answer and no state waits for it.
    func sendPicture() {
        guard var sending = transfer, let link, phase == .live, lane.isEmpty else { return }
        guard link.isReady else { return link.wantWritable() }
        link.write(Frame(payload: sending.next().bytes, isBinary: true))
        transfer = sending.isOver ? nil : sending
        if transfer != nil { link.wantWritable() }
    }
}
