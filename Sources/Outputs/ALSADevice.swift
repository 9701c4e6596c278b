import CALSA
import Glibc

/// An ALSA PCM.
final class ALSADevice: PlaybackDevice {
  private let handle: OpaquePointer

  /// Opens the PCM for 16-bit stereo, with a buffer of 200 ms. ALSA's plug layer converts what the card does not take itself.
  init(name: String, rate: Int) throws(OutputError) {
    Self.beQuiet
    do throws(OutputError) {
      handle = try Self.open(name, rate: rate)
    } catch  where error.code == .deviceUnsuitable && !name.contains("'") {
      // A bare hw: device has no plug layer of its own.
      handle = try Self.open("plug:'\(name)'", rate: rate)
    }
  }

  private static let beQuiet: Void = reveille_alsa_be_quiet()

  private static func open(_ name: String, rate: Int) throws(OutputError) -> OpaquePointer {
    var handle: OpaquePointer?
    let status = snd_pcm_open(&handle, name, SND_PCM_STREAM_PLAYBACK, Int32(SND_PCM_NONBLOCK))
    guard status >= 0, let handle else {
      snd_config_update_free_global()
      throw OutputError(
        code: .deviceUnavailable, operation: "snd_pcm_open", errno: -status,
        message:
          "The sound device \"\(name)\" cannot be opened: check that it is plugged in, listed by `aplay -L` and not taken by another program."
      )
    }
    let settings = snd_pcm_set_params(
      handle, SND_PCM_FORMAT_S16_LE, SND_PCM_ACCESS_RW_INTERLEAVED, 2, UInt32(clamping: rate), 1, 200_000)
    guard settings >= 0 else {
      snd_pcm_close(handle)
      throw OutputError(
        code: .deviceUnsuitable, operation: "snd_pcm_set_params", errno: -settings,
        message:
          "The sound device \"\(name)\" takes no 16-bit stereo at \(rate) Hz: name a device with conversion, such as plughw: or default.")
    }
    return handle
  }

  var card: Int32? {
    var information: OpaquePointer?
    guard snd_pcm_info_malloc(&information) >= 0, let information else { return nil }
    defer { snd_pcm_info_free(information) }
    guard snd_pcm_info(handle, information) >= 0 else { return nil }
    let card = snd_pcm_info_get_card(information)
    return card >= 0 ? card : nil
  }

  func available() -> Int { Int(snd_pcm_avail_update(handle)) }

  func write(_ frames: UnsafePointer<Int16>, count: Int) -> Int {
    Int(snd_pcm_writei(handle, frames, snd_pcm_uframes_t(count)))
  }

  func begin() -> Int { snd_pcm_state(handle) == SND_PCM_STATE_PREPARED ? Int(snd_pcm_start(handle)) : 0 }

  // Not snd_pcm_recover: it sleeps while a card resumes.
  func prepare() -> Int { Int(snd_pcm_prepare(handle)) }

  func close() {
    // Never snd_pcm_drain: it waits, and alsa-lib 1.2.8's file plug-in asserts in it.
    snd_pcm_drop(handle)
    snd_pcm_close(handle)
    // The parsed configuration knows only the cards of its time, and holds a megabyte while nothing sounds.
    snd_config_update_free_global()
  }
}
