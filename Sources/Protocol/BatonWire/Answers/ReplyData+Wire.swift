import BatonCore
import BatonPairing
package import BatonProtocol

/// The JSON form of `ReplyData` and its parts.
extension ReplyData {
    /// Writes the data; lists end at the limit of a page, `bytes`.
    package func encode(into writer: inout JSONWriter, bytes: Int) {
        switch self {
        case .queuePage(let page): page.encode(into: &writer, bytes: bytes)
        case .queueHistory(let list): list.encode(into: &writer, bytes: bytes)
        case .queueSaved(let saved): saved.encode(into: &writer)
        case .room(let room): writer.object { $0.member("room", room.text) }
        case .joinedRoom(let info): info.encode(into: &writer)
        case .listening(let answer): answer.encode(into: &writer)
        case .listenLink(let made): made.encode(into: &writer)
        case .listenLinks(let list): list.encode(into: &writer)
        case .hubInfo(let info): info.encode(into: &writer)
        case .hubLog(let log): log.encode(into: &writer, bytes: bytes)
        case .items(let list): list.encode(into: &writer)
        case .item(let answer): answer.encode(into: &writer, bytes: bytes)
        case .played(let list): list.encode(into: &writer, bytes: bytes)
        case .folders(let folders): folders.encode(into: &writer, bytes: bytes)
        case .playlists(let list): list.encode(into: &writer, bytes: bytes)
        case .playlist(let contents): contents.encode(into: &writer, bytes: bytes)
        case .playlistEdited(let edited): edited.encode(into: &writer, bytes: bytes)
        case .picture(let transfer): transfer.encode(into: &writer)
        case .sources(let list): list.encode(into: &writer, bytes: bytes)
        case .sourceTested(let tested): tested.encode(into: &writer)
        case .pendingNotes(let notes): notes.encode(into: &writer, bytes: bytes)
        case .kept(let list): list.encode(into: &writer, bytes: bytes)
        case .stations(let list): list.encode(into: &writer, bytes: bytes)
        case .podcasts(let list): list.encode(into: &writer, bytes: bytes)
        case .bookmarks(let list): list.encode(into: &writer, bytes: bytes)
        case .progress(let list): list.encode(into: &writer, bytes: bytes)
        case .asleep(let places): places.encode(into: &writer)
        case .titles(let list): list.encode(into: &writer, bytes: bytes)
        case .parsedPrompt(let prompt): prompt.encode(into: &writer)
        case .prompts(let shelf): shelf.encode(into: &writer, bytes: bytes)
        case .steered(let piece): piece.encode(into: &writer)
        case .startedJob(let started): started.encode(into: &writer)
        case .clips(let list): list.encode(into: &writer, bytes: bytes)
        case .jobs(let rows): rows.encode(into: &writer, bytes: bytes)
        case .workers(let list): list.encode(into: &writer, bytes: bytes)
        case .workerTested(let tested): tested.encode(into: &writer)
        case .pairingWindow(let window): window.encode(into: &writer)
        case .devices(let list): list.encode(into: &writer, bytes: bytes)
        case .deviceKey(let key): key.encode(into: &writer)
        case .ticket(let ticket): writer.object { $0.member("ticket", ticket.text) }
        case .signedIn(let user): user.encode(into: &writer)
        case .ownUser(let user): user.encode(into: &writer)
        case .users(let list): list.encode(into: &writer, bytes: bytes)
        case .userSessions(let list): list.encode(into: &writer, bytes: bytes)
        case .roomControl(let control): control.encode(into: &writer)
        case .sharedPlaylist(let shared): shared.encode(into: &writer)
        case .exported(let rows): rows.encode(into: &writer, bytes: bytes)
        }
    }

    package init(from value: JSON, as form: Form) throws(ProtocolFault) {
        self =
            switch form {
            case .queuePage: .queuePage(try QueuePage(from: value))
            case .queueHistory: .queueHistory(try QueueHistoryList(from: value))
            case .queueSaved: .queueSaved(try QueueSaved(from: value))
            case .room: .room(try RoomID(result: value))
            case .joinedRoom: .joinedRoom(try JoinedRoomInfo(from: value))
            case .listening: .listening(try ListeningAnswer(from: value))
            case .listenLink: .listenLink(try MadeListenLink(from: value))
            case .listenLinks: .listenLinks(try ListenLinkList(from: value))
            case .hubInfo: .hubInfo(try HubInfo(from: value))
            case .hubLog: .hubLog(try HubLog(from: value))
            case .items: .items(try ItemList(from: value))
            case .item: .item(try ItemAnswer(from: value))
            case .played: .played(try PlayedList(from: value))
            case .folders: .folders(try LibraryFolders(from: value))
            case .playlists: .playlists(try PlaylistList(from: value))
            case .playlist: .playlist(try PlaylistContents(from: value))
            case .playlistEdited: .playlistEdited(try PlaylistEdited(from: value))
            case .picture: .picture(try ArtTransfer(from: value))
            case .sources: .sources(try SourceList(from: value))
            case .sourceTested: .sourceTested(try SourceTested(from: value))
            case .pendingNotes: .pendingNotes(try PendingNotes(from: value))
            case .kept: .kept(try KeptList(from: value))
            case .stations: .stations(try StationList(from: value))
            case .podcasts: .podcasts(try PodcastList(from: value))
            case .bookmarks: .bookmarks(try BookmarkList(from: value))
            case .progress: .progress(try ProgressList(from: value))
            case .asleep: .asleep(try AsleepPlaces(from: value))
            case .titles: .titles(try TitleList(from: value))
            case .parsedPrompt: .parsedPrompt(try ParsedPrompt(from: value))
            case .prompts: .prompts(try PromptShelf(from: value))
            case .steered: .steered(try SteeredPiece(from: value))
            case .startedJob: .startedJob(try StartedJob(from: value))
            case .clips: .clips(try ClipSessions(from: value))
            case .jobs: .jobs(try JobRows(from: value))
            case .workers: .workers(try WorkerList(from: value))
            case .workerTested: .workerTested(try WorkerTested(from: value))
            case .pairingWindow: .pairingWindow(try PairingWindow(from: value))
            case .devices: .devices(try DeviceList(from: value))
            case .deviceKey: .deviceKey(try NewDeviceKey(from: value))
            case .ticket: .ticket(try Ticket(from: value))
            case .signedIn: .signedIn(try SignedInUser(from: value))
            case .ownUser: .ownUser(try OwnUser(from: value))
            case .users: .users(try UserList(from: value))
            case .userSessions: .userSessions(try UserSessionList(from: value))
            case .roomControl: .roomControl(try RoomControl(from: value))
            case .sharedPlaylist: .sharedPlaylist(try SharedPlaylist(from: value))
            case .exported: .exported(try ExportedRows(from: value))
            }
    }
}

extension RoomID {
    fileprivate init(result value: JSON) throws(ProtocolFault) {
        let fields = try Fields(result: value)
        self.init(try fields.required("room", fields.text("room")))
    }
}
