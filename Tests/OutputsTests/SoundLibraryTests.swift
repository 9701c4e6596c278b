import Glibc
import Testing

@testable import Outputs

@Suite("Sound library")
struct SoundLibraryTests {
  @Test("Built-in tones come first, then files by their base name, in order and once")
  func names() throws {
    let sounds = TestCards.soundsDirectory("names")
    for file in [
      "Rooster.mp3", "Rooster.wav", "a.b.ogg", "chime.wav", "notes.txt", ".hidden.wav", "no extension", "Bird song.FLAC", "ünsafe.wav",
    ] {
      TestCards.write("x", to: "\(sounds)/\(file)")
    }
    mkdir(sounds + "/folder.wav", 0o755)
    mkfifo(sounds + "/pipe.wav", 0o644)
    let library = SoundLibrary(directory: sounds)
    #expect(library.names() == ["default", "chime", "radar", "beacon", "gentle", "Bird song", "Rooster", "a.b"])
    for name in library.names() { #expect(library.isKnown(name)) }
    for name in ["notes", ".hidden", "no extension", "ünsafe", "folder", "pipe"] { #expect(!library.isKnown(name)) }
  }

  @Test(
    "A name is never a path",
    arguments: [
      "", ".", "..", "../sounds", "a/b", "/etc/passwd", ".x", "-x", " x", "x\n", "x\0", "x\\y", "ä", String(repeating: "x", count: 65),
    ])
  func illFormed(_ name: String) { #expect(!SoundLibrary.isWellFormed(name)) }

  @Test("Well-formed names", arguments: ["a", "0", "Bird song", "a.b-c_d", String(repeating: "x", count: 64)])
  func wellFormed(_ name: String) { #expect(SoundLibrary.isWellFormed(name)) }

  @Test("A symbolic link may lead elsewhere in the directory but not out of it")
  func links() throws {
    let outside = TestCards.soundsDirectory("outside")
    let sounds = TestCards.soundsDirectory("links")
    try writeSine(outside + "/secret.wav", format: FileKind.wav, rate: 8_000)
    try writeSine(sounds + "/inside.wav", format: FileKind.wav, rate: 8_000)
    symlink(outside + "/secret.wav", sounds + "/absolute.wav")
    symlink("../sounds-outside/secret.wav", sounds + "/relative.wav")
    symlink("nowhere.wav", sounds + "/dangling.wav")
    symlink("loop.wav", sounds + "/loop.wav")
    symlink("inside.wav", sounds + "/alias.wav")
    symlink(sounds, outside + "/sounds")
    let library = SoundLibrary(directory: sounds)
    #expect(library.names().dropFirst(5) == ["alias", "inside"])
    // The directory itself may be a link.
    #expect(SoundLibrary(directory: outside + "/sounds").isKnown("alias"))
    _ = try library.open("alias")
    #expect(throws: OutputError.self) { try library.open("absolute") }
  }

  @Test("Without a directory, or with one that is not there, the built-in tones remain")
  func noDirectory() {
    #expect(SoundLibrary(directory: nil).names() == BuiltInTone.allCases.map(\.rawValue))
    #expect(SoundLibrary(directory: "/no/such/directory").names().count == 5)
  }
}
