package import BatonReading
import CFFmpeg

/// Facts of a music file.
extension MediaFile {
    package static func facts(of file: OpenFile, named name: String) throws(ReaderFailure) -> FileFacts {
        let media = try MediaFile.open(file, named: name)
        guard let sound = unsafe media.sound else { throw failure(0, media.file) }
        var facts = FileFacts()
        unsafe media.describe(sound, in: &facts)
        // libavformat assumes sound because of the file name alone.
        guard facts.rate > 0, facts.channels > 0 else { throw failure(0, media.file) }
        facts.content = ContentHash.of(media.file)
        facts.tags = unsafe media.tags(of: sound)
        facts.parts = media.parts
        facts.cover = unsafe media.coverStream.flatMap { unsafe media.cover($0) }
        unsafe facts.loudness = loudness(of: sound)
        // A file whose oversized tag was cut off looks complete.
        if media.file.isTooLarge { throw ReaderFailure(.tooLarge) }
        return facts
    }

    // MARK: Sound

    private func describe(_ sound: UnsafeMutablePointer<AVStream>, in facts: inout FileFacts) {
        let format = unsafe sound.pointee.codecpar.pointee
        let header = unsafe header(of: sound)
        if let header {
            facts.rate = UInt32(clamping: header.rate)
            facts.channels = UInt8(clamping: header.channels)
            facts.bits = UInt8(clamping: header.bits ?? 0)
        }
        unsafe facts.codec = name(of: format.codec_id, layer: header?.layer)
        facts.durationUs = unsafe measuredUs(of: header) ?? durationUs(of: sound) ?? header?.bitRate.flatMap { durationUs(atBits: $0) }
        let isKnown = unsafe header != nil || format.sample_rate > 0 && format.ch_layout.nb_channels > 0
        // Only if the header is incomplete, because this decodes the beginning.
        if !isKnown || facts.durationUs == nil {
            unsafe avformat_find_stream_info(context, nil)
            facts.durationUs = unsafe durationUs(of: sound)
        }
        guard header == nil else { return }
        let decoded = unsafe sound.pointee.codecpar.pointee
        facts.rate = unsafe UInt32(clamping: decoded.sample_rate)
        facts.channels = unsafe UInt8(clamping: decoded.ch_layout.nb_channels)
        facts.bits = unsafe UInt8(clamping: bits(of: decoded))
    }

    /// Properties from the first bytes, for formats that have them there.
    func header(of sound: UnsafeMutablePointer<AVStream>) -> SoundHeader? {
        let format = unsafe sound.pointee.codecpar.pointee
        switch unsafe format.codec_id {
        case AV_CODEC_ID_FLAC:
            let block = unsafe UnsafeBufferPointer(start: format.extradata, count: Int(format.extradata_size))
            return unsafe SoundHeader.flac([UInt8](block))
        case AV_CODEC_ID_MP3:
            // libavformat is at the first frame of sound.
            return unsafe SoundHeader.mpeg(file.bytes(at: avio_seek(context.pointee.pb, 0, SEEK_CUR), most: 4))
        default: return nil
        }
    }

    private func name(of codec: AVCodecID, layer: Int?) -> [UInt8] {
        if let layer { return Array("mp\(layer)".utf8) }
        return Array(unsafe String(cString: avcodec_get_name(codec)).utf8.prefix(64))
    }

    /// Bits of each sample, for formats in which the encoder chooses them.
    private func bits(of format: AVCodecParameters) -> Int32 {
        guard let about = unsafe avcodec_descriptor_get(format.codec_id), unsafe about.pointee.props & AV_CODEC_PROP_LOSSLESS != 0 else {
            return 0
        }
        return unsafe format.bits_per_raw_sample > 0 ? format.bits_per_raw_sample : max(0, format.bits_per_coded_sample)
    }

    private func durationUs(of sound: UnsafeMutablePointer<AVStream>) -> Int64? {
        let whole = unsafe context.pointee.duration
        if whole > 0 { return FileFacts.sensible(us: whole) }
        let (length, base) = unsafe (sound.pointee.duration, sound.pointee.time_base)
        guard length > 0, base.num > 0, base.den > 0 else { return nil }
        return FileFacts.sensible(us: av_rescale_q(length, base, AVRational(num: 1, den: 1_000_000)))
    }

    /// Duration of MPEG sound without the silence that its encoder added.
    private func measuredUs(of header: SoundHeader?) -> Int64? {
        guard header?.layer == 3 else { return nil }
        let start = MPEGGaps.frameStart(file.bytes(at: 0, most: 10))
        return MPEGGaps.lengthUs(file.bytes(at: start, most: MPEGGaps.most)).flatMap(FileFacts.sensible(us:))
    }

    /// Duration of sound that does not state it, from its size or its frames.
    private func durationUs(atBits rate: Int) -> Int64? {
        let start = unsafe avio_seek(context.pointee.pb, 0, SEEK_CUR)
        let hasOldTag = file.bytes(at: file.size - 128, most: 3) == Array("TAG".utf8)
        let end = file.size - (hasOldTag ? 128 : 0)
        let counted = MPEGLength.countedUs(from: start, to: end) { file.bytes(at: $0, most: $1) }
        return FileFacts.sensible(us: counted ?? (end - start) * 8_000_000 / Int64(rate))
    }

    // MARK: Tags

    /// Tags of the file, then those of its sound; formats differ in where they store them.
    private func tags(of sound: UnsafeMutablePointer<AVStream>) -> [FileFacts.Tag] {
        let all = unsafe own + entries(of: context.pointee.metadata) + entries(of: sound.pointee.metadata)
        return Array(all.filter(FileFacts.admits).prefix(FileFacts.mostTags))
    }

    /// Tags that libavformat drops, and tags with several values, of which it would keep one. They come first and so take precedence.
    private var own: [FileFacts.Tag] {
        switch unsafe String(cString: context.pointee.iformat.pointee.name) {
        case "mp3":
            ID3Texts(file.bytes(at: 0, most: ID3Texts.most)).values.map { tag in
                FileFacts.Tag(name: Array(tag.name.utf8), value: Array(tag.values.joined(separator: Array(";".utf8))))
            }
        case "mov,mp4,m4a,3gp,3g2,mj2":
            MP4Texts(size: file.size) { file.bytes(at: $0, most: $1) }.values.map { FileFacts.Tag(name: Array($0.utf8), value: $1) }
        default: []
        }
    }

    private var parts: [FileFacts.Part] {
        unsafe (0..<min(Int(context.pointee.nb_chapters), FileFacts.mostParts)).compactMap { number in
            guard let chapter = unsafe context.pointee.chapters[number] else { return nil }
            let (start, end, base) = unsafe (chapter.pointee.start, chapter.pointee.end, chapter.pointee.time_base)
            guard base.num > 0, base.den > 0 else { return nil }
            let milliseconds = AVRational(num: 1, den: 1_000)
            guard let startMs = FileFacts.sensible(ms: av_rescale_q(start, base, milliseconds)) else { return nil }
            let endMs = end == cffmpeg_no_time() ? startMs : FileFacts.sensible(ms: av_rescale_q(end, base, milliseconds)) ?? startMs
            let title = unsafe entries(of: chapter.pointee.metadata).first { $0.name == Array("title".utf8) }?.value ?? []
            return FileFacts.Part(title: Array(title.prefix(FileFacts.longestValue)), startMs: startMs, endMs: max(startMs, endMs))
        }
    }

    /// The encoder's measurement, stored beside the tags; libavformat counts in hundred thousandths.
    private static func loudness(of sound: UnsafeMutablePointer<AVStream>) -> FileFacts.Loudness {
        var loudness = FileFacts.Loudness()
        var size = 0
        guard let data = unsafe av_stream_get_side_data(sound, AV_PKT_DATA_REPLAYGAIN, &size),
            size >= MemoryLayout<AVReplayGain>.size
        else { return loudness }
        let gain = unsafe UnsafeRawPointer(data).loadUnaligned(as: AVReplayGain.self)
        func sensible(_ figure: Int64) -> Int64? { (-100_000_000...100_000_000).contains(figure) ? figure * 10 : nil }
        if gain.track_gain != .min { loudness.track = sensible(Int64(gain.track_gain)) }
        if gain.album_gain != .min { loudness.album = sensible(Int64(gain.album_gain)) }
        if gain.track_peak != 0 { loudness.trackPeak = sensible(Int64(gain.track_peak)) }
        if gain.album_peak != 0 { loudness.albumPeak = sensible(Int64(gain.album_peak)) }
        return loudness
    }

    // MARK: Cover

    /// The picture marked as the front cover, else the first.
    var coverStream: UnsafeMutablePointer<AVStream>? {
        let pictures = unsafe streams.filter { unsafe $0.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC != 0 }
        return unsafe pictures.first { stream in
            unsafe entries(of: stream.pointee.metadata).contains { $0.value == Array("Cover (front)".utf8) }
        } ?? pictures.first
    }

    /// Name and size of the picture; `nil` if no reader would show it.
    private func cover(_ stream: UnsafeMutablePointer<AVStream>) -> FileFacts.Cover? {
        let packet = unsafe stream.pointee.attached_pic
        let bytes = unsafe UnsafeBufferPointer(start: packet.data, count: Int(max(0, packet.size)))
        guard bytes.count <= PictureLocation.mostBytes, let header = unsafe try? PictureHeader(of: bytes) else { return nil }
        let hash = ContentHash()
        unsafe hash.add(bytes)
        return FileFacts.Cover(name: hash.result().high, header: header)
    }
}
