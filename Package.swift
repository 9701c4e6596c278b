// swift-tools-version: 6.0
import PackageDescription

// Arrows point down only: CivilTime ← AlarmModel ← AlarmEngine ← NodeProtocol are pure values and decisions; MQTTTransport, AlarmStore,
// Outputs and Buttons each hide one C library; NodeRuntime wires them. See docs/architecture.md.

let package = Package(
  name: "reveille",
  products: [
    .executable(name: "reveille", targets: ["reveille"])
  ],
  targets: [
    // C libraries, from Debian's -dev packages.
    .systemLibrary(name: "CMosquitto", pkgConfig: "libmosquitto", providers: [.apt(["libmosquitto-dev"])]),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CALSA", pkgConfig: "alsa", providers: [.apt(["libasound2-dev"])]),
    .systemLibrary(name: "CSndFile", pkgConfig: "sndfile", providers: [.apt(["libsndfile1-dev"])]),
    .systemLibrary(name: "CGPIOD", pkgConfig: "libgpiod", providers: [.apt(["libgpiod-dev"])]),
    .systemLibrary(name: "CYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
    .systemLibrary(name: "CJansson", pkgConfig: "jansson", providers: [.apt(["libjansson-dev"])]),
    .target(name: "CLinux"),

    // The node's mind: no I/O.
    .target(name: "CivilTime"),
    .target(name: "JSON", dependencies: ["CJansson"]),
    .target(name: "AlarmModel", dependencies: ["CivilTime", "JSON"]),
    .target(name: "AlarmEngine", dependencies: ["AlarmModel", "CivilTime", "JSON"]),
    .target(name: "NodeProtocol", dependencies: ["AlarmEngine", "AlarmModel", "CivilTime", "JSON"]),

    // Discovery documents, derived from NodeProtocol.
    .target(name: "HomeAssistant", dependencies: ["AlarmEngine", "AlarmModel", "JSON", "NodeProtocol"]),

    // The engine under virtual clocks: alone, for a forecast; with a virtual disk and a virtual broker, driven by a seed, for tests.
    .target(name: "AlarmSimulator", dependencies: ["AlarmEngine", "AlarmModel", "CivilTime", "JSON", "NodeProtocol"]),
    .executableTarget(
      name: "alarm-simulator", dependencies: ["AlarmSimulator", "CivilTime", "LinuxSupport"], path: "Tests/AlarmSimulator"),

    // The outside world, one library a room.
    .target(name: "LinuxSupport", dependencies: ["CLinux"]),
    .target(name: "MQTTTransport", dependencies: ["CMosquitto", "LinuxSupport"]),
    .target(name: "AlarmStore", dependencies: ["CSQLite"]),
    .target(name: "Outputs", dependencies: ["CALSA", "CSndFile", "CGPIOD", "LinuxSupport"]),
    .target(name: "Buttons", dependencies: ["CGPIOD", "LinuxSupport"]),
    .target(name: "Configuration", dependencies: ["CYAML"]),
    .target(
      name: "NodeRuntime",
      dependencies: [
        "AlarmEngine", "AlarmModel", "AlarmStore", "Buttons", "CivilTime", "Configuration", "HomeAssistant", "JSON", "LinuxSupport",
        "MQTTTransport", "NodeProtocol", "Outputs",
      ]),
    // The commands that talk to a node: another client of its topics, with no part of the node but their names.
    .target(
      name: "Client",
      dependencies: ["AlarmModel", "CivilTime", "Configuration", "JSON", "LinuxSupport", "MQTTTransport", "NodeProtocol"]),
    .executableTarget(
      name: "reveille",
      dependencies: [
        "AlarmModel", "AlarmSimulator", "CivilTime", "Client", "Configuration", "JSON", "LinuxSupport", "NodeProtocol", "NodeRuntime",
      ]),

    // Real brokers and processes for tests.
    .target(name: "TestSupport", dependencies: ["JSON", "LinuxSupport"], path: "Tests/TestSupport"),

    .testTarget(name: "CivilTimeTests", dependencies: ["CivilTime"]),
    .testTarget(name: "JSONTests", dependencies: ["JSON"]),
    .testTarget(name: "AlarmModelTests", dependencies: ["AlarmModel", "CivilTime", "JSON"]),
    .testTarget(
      name: "AlarmEngineTests", dependencies: ["AlarmEngine", "AlarmModel", "CivilTime", "JSON", "NodeProtocol"]),
    .testTarget(name: "NodeProtocolTests", dependencies: ["NodeProtocol", "AlarmEngine", "AlarmModel", "CivilTime", "JSON"]),
    .testTarget(
      name: "HomeAssistantTests",
      dependencies: ["HomeAssistant", "AlarmModel", "CivilTime", "JSON", "NodeProtocol", "NodeRuntime", "TestSupport"],
      exclude: ["golden", "keys.json"]),
    .testTarget(name: "AlarmSimulatorTests", dependencies: ["AlarmSimulator", "CivilTime"]),
    .testTarget(name: "LinuxSupportTests", dependencies: ["LinuxSupport"]),
    .testTarget(name: "MQTTTransportTests", dependencies: ["MQTTTransport", "LinuxSupport", "TestSupport"]),
    .testTarget(name: "AlarmStoreTests", dependencies: ["AlarmStore"]),
    .testTarget(name: "OutputsTests", dependencies: ["Outputs", "LinuxSupport"]),
    .testTarget(name: "ButtonsTests", dependencies: ["Buttons", "LinuxSupport", "TestSupport"]),
    .testTarget(name: "ClientTests", dependencies: ["Client", "Configuration", "JSON", "TestSupport"]),
    .testTarget(name: "ConfigurationTests", dependencies: ["Configuration", "TestSupport"]),
    // The real program against a real broker; it is found next to the test bundle.
    .testTarget(name: "IntegrationTests", dependencies: ["JSON", "TestSupport"]),
  ],
  swiftLanguageModes: [.v6]
)
