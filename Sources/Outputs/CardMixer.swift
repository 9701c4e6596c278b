import CALSA

/// A sound card's mixer: raised for a ring, and put back afterwards.
struct CardMixer: Sendable {
  /// What one control was before, and what it was set to.
  struct Change: Sendable, Hashable {
    var control: String
    var index: UInt32
    /// Raw volumes, by channel; `nil` where the volume was left alone.
    var volumes: [Int32: Int]?
    var raised: Int = 0
    /// Whether the control was muted and is not now.
    var wasMuted = false
  }

  /// ALSA's number of the card.
  let card: Int32

  /// The controls that a sound passes on its way out, by their usual names; of a card with other names its first volume counts.
  private static let path = ["Master", "PCM", "Speaker", "Headphone", "Digital", "HDMI", "Line Out"]

  /// Sets every control on the sound's way to at least so many percent of its range, and unmutes it. A card without a mixer has none to set.
  ///
  /// - Returns: what was changed, for `restore`.
  func raise(toAtLeast percent: Int) throws(OutputError) -> [Change] {
    let mixer = try open()
    defer { snd_mixer_close(mixer) }
    var changes: [Change] = []
    for element in controls(of: mixer) {
      var change = Change(control: name(of: element), index: snd_mixer_selem_get_index(element))
      var (least, most) = (0, 0)
      if snd_mixer_selem_has_playback_volume(element) != 0, snd_mixer_selem_get_playback_volume_range(element, &least, &most) >= 0 {
        let wanted = least + (most - least) * percent / 100
        let volumes = volumes(of: element)
        if volumes.values.contains(where: { $0 < wanted }) {
          try check(snd_mixer_selem_set_playback_volume_all(element, wanted), "snd_mixer_selem_set_playback_volume_all")
          change.volumes = volumes
          change.raised = wanted
        }
      }
      if isMuted(element) {
        try check(snd_mixer_selem_set_playback_switch_all(element, 1), "snd_mixer_selem_set_playback_switch_all")
        change.wasMuted = true
      }
      if change.volumes != nil || change.wasMuted { changes.append(change) }
    }
    return changes
  }

  /// Puts back what `raise` changed, but for controls that somebody has set meanwhile.
  func restore(_ changes: [Change]) throws(OutputError) {
    guard !changes.isEmpty else { return }
    let mixer = try open()
    defer { snd_mixer_close(mixer) }
    for element in controls(of: mixer) {
      guard let change = changes.first(where: { $0.control == name(of: element) && $0.index == snd_mixer_selem_get_index(element) })
      else { continue }
      if let before = change.volumes, volumes(of: element).values.allSatisfy({ $0 == change.raised }) {
        for (channel, volume) in before {
          let status = snd_mixer_selem_set_playback_volume(element, snd_mixer_selem_channel_id_t(channel), volume)
          try check(status, "snd_mixer_selem_set_playback_volume")
        }
      }
      if change.wasMuted, !isMuted(element) {
        try check(snd_mixer_selem_set_playback_switch_all(element, 0), "snd_mixer_selem_set_playback_switch_all")
      }
    }
  }

  private func open() throws(OutputError) -> OpaquePointer {
    var mixer: OpaquePointer?
    try check(snd_mixer_open(&mixer, 0), "snd_mixer_open")
    guard let mixer else { throw failure("snd_mixer_open", 0) }
    var status = snd_mixer_attach(mixer, "hw:\(card)")
    if status >= 0 { status = snd_mixer_selem_register(mixer, nil, nil) }
    if status >= 0 { status = snd_mixer_load(mixer) }
    guard status >= 0 else {
      snd_mixer_close(mixer)
      throw failure("snd_mixer_load", -status)
    }
    return mixer
  }

  private func controls(of mixer: OpaquePointer) -> [OpaquePointer] {
    var all: [OpaquePointer] = []
    var next = snd_mixer_first_elem(mixer)
    while let element = next {
      let hasVolume = snd_mixer_selem_has_playback_volume(element) != 0
      if hasVolume || snd_mixer_selem_has_playback_switch(element) != 0 { all.append(element) }
      next = snd_mixer_elem_next(element)
    }
    let known = all.filter { Self.path.contains(name(of: $0)) }
    return known.isEmpty ? Array(all.filter { snd_mixer_selem_has_playback_volume($0) != 0 }.prefix(1)) : known
  }

  private func name(of element: OpaquePointer) -> String { String(cString: snd_mixer_selem_get_name(element)) }

  private func volumes(of element: OpaquePointer) -> [Int32: Int] {
    var volumes: [Int32: Int] = [:]
    for channel in channels(of: element) {
      var volume = 0
      if snd_mixer_selem_get_playback_volume(element, channel, &volume) >= 0 { volumes[channel.rawValue] = volume }
    }
    return volumes
  }

  private func isMuted(_ element: OpaquePointer) -> Bool {
    guard snd_mixer_selem_has_playback_switch(element) != 0 else { return false }
    return channels(of: element).contains { channel in
      var isOn: Int32 = 1
      return snd_mixer_selem_get_playback_switch(element, channel, &isOn) >= 0 && isOn == 0
    }
  }

  private func channels(of element: OpaquePointer) -> [snd_mixer_selem_channel_id_t] {
    (SND_MIXER_SCHN_FRONT_LEFT.rawValue...SND_MIXER_SCHN_LAST.rawValue).map { snd_mixer_selem_channel_id_t(rawValue: $0) }
      .filter { snd_mixer_selem_has_playback_channel(element, $0) != 0 }
  }

  private func check(_ status: Int32, _ operation: String) throws(OutputError) {
    if status < 0 { throw failure(operation, -status) }
  }

  private func failure(_ operation: String, _ errno: Int32) -> OutputError {
    OutputError(
      code: .mixerUnavailable, operation: operation, errno: errno,
      message: "The mixer of sound card \(card) cannot be set, so the alarm may be too quiet: look at it with `alsamixer -c \(card)`.")
  }
}
