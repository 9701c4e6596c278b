# What a build of Reveille needs, and how it gets there. Sourced by deploy/try, Tests/run and .ci/run.
# shellcheck shell=bash disable=SC2034

# The libraries, what a Swift build takes for granted, and a broker with its two command line clients.
build_packages=(
  binutils ca-certificates gcc libc6-dev pkg-config tzdata
  libasound2-dev libgpiod-dev libjansson-dev libmosquitto-dev libsndfile1-dev libsqlite3-dev libyaml-dev
  mosquitto mosquitto-clients
)

# What deploy/package needs besides.
package_packages=(debhelper dpkg-dev patchelf)

# The toolchain for systems without a package of Swift 6; REVEILLE_SWIFT_ARCHIVE may name another one, by path or URL.
swift_version=6.1.2
swift_key=52BB7E3DE28A71BE22EC05FFEF80A866B47A981F
swift_packages=(curl gnupg libcurl4 libncurses6 libsqlite3-0 libuuid1 libxml2)
swift_directory=${XDG_CACHE_HOME:-$HOME/.cache}/reveille/swift

say() { printf '%s\n' "$*" >&2; }
fail() {
  printf '%s: %s\n' "${0##*/}" "$1" >&2
  shift
  (($# == 0)) || printf '  %s\n' "$@" >&2
  exit 1
}

is_installed() { [[ $(dpkg-query -W -f '${Status}' "$1" 2>/dev/null) == 'install ok installed' ]]; }

# Runs a command as root: directly, or through sudo, which may ask for a password where there is a terminal.
as_root() {
  if ((EUID == 0)); then
    "$@"
  elif [[ -t 0 ]]; then
    sudo -- "$@"
  else
    sudo -n -- "$@"
  fi
}

# install_packages WHY PACKAGE…: installs those that are missing.
install_packages() {
  local why=$1 package missing=() broker_is_new=
  shift
  command -v dpkg-query >/dev/null ||
    fail 'this is not a Debian system; install these with its own package manager (names as on Debian), and Swift 6.0 or later:' "$*"
  for package; do is_installed "$package" || missing+=("$package"); done
  ((${#missing[@]})) || return 0

  say "Installing $why: ${missing[*]}"
  { ((EUID == 0)) || { command -v sudo >/dev/null && as_root true; }; } ||
    fail 'only root can install packages, and there is no way through sudo; as root run the following, then start this again:' \
      "apt-get update && apt-get install --no-install-recommends ${missing[*]}"
  [[ " ${missing[*]} " != *' mosquitto '* ]] || broker_is_new=1
  # A list that cannot be fetched matters only if a package is then not found.
  as_root apt-get update -qq || say 'Some package lists could not be updated; going on with what is there.'
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends -o Dpkg::Use-Pty=0 "${missing[@]}" >&2 ||
    fail 'apt-get could not install the packages; its own messages above say why'
  if [[ $broker_is_new && -d /run/systemd/system ]]; then
    # Debian starts it at once. Nobody asked for a broker on port 1883 yet.
    as_root systemctl disable --quiet --now mosquitto || true
    say 'The mosquitto service that came with the package is switched off; to use it: systemctl enable --now mosquitto'
  fi
}

# Whether the command is Swift 6.0 or later. (OpenStack has a command of that name, too.)
is_swift() {
  [[ $("$1" --version 2>/dev/null) =~ Swift\ version\ ([0-9]+)\. ]] && ((BASH_REMATCH[1] >= 6))
}

# Puts Swift 6.0 or later on PATH; installs it if there is none.
prepare_swift() {
  local directory
  if is_swift swift; then return; fi
  for directory in /opt/swift/usr/bin "$HOME/.local/share/swiftly/bin" "$swift_directory/usr/bin"; do
    if is_swift "$directory/swift"; then
      PATH=$directory:$PATH
      return
    fi
  done
  if [[ -z ${REVEILLE_SWIFT_ARCHIVE-} ]] && has_swift_package; then
    install_packages 'the Swift compiler (about 1 GB)' swiftlang
  else
    download_swift
    PATH=$swift_directory/usr/bin:$PATH
  fi
  is_swift swift || fail 'Swift is installed but does not start; "swift --version" says why'
}

has_swift_package() {
  local version
  version=$(apt-cache show --no-all-versions swiftlang 2>/dev/null | sed -n 's/^Version: //p')
  [[ $version ]] && dpkg --compare-versions "$version" ge 6.0
}

# Unpacks swift.org's toolchain into $swift_directory, whole or not at all.
download_swift() {
  local archive=${REVEILLE_SWIFT_ARCHIVE-} suffix='' platform
  if [[ -z $archive ]]; then
    # shellcheck source=/dev/null
    platform=$(. /etc/os-release && printf '%s' "${VERSION_CODENAME-}")
    case $(dpkg --print-architecture) in
      amd64) ;;
      arm64) suffix=-aarch64 ;;
      *) fail "there is no Swift for $(dpkg --print-architecture); a 64-bit system is needed (on a Raspberry Pi: the 64-bit Raspberry Pi OS)" ;;
    esac
    [[ $platform == bookworm ]] ||
      fail 'this system has no package of Swift 6.0 or later; install it from https://www.swift.org/install and start again'
    archive=https://download.swift.org/swift-$swift_version-release/debian12$suffix/swift-$swift_version-RELEASE/swift-$swift_version-RELEASE-debian12$suffix.tar.gz
  fi
  install_packages 'what the Swift compiler needs' "${swift_packages[@]}"

  mkdir -p "${swift_directory%/*}"
  (
    cd "$(mktemp -d -p "${swift_directory%/*}")" || exit
    trap 'rm -rf "$PWD"' EXIT
    if [[ $archive == *://* ]]; then
      say "Downloading Swift (about 1 GB, kept in $swift_directory): $archive"
      curl -fL --retry 3 --progress-bar -o archive "$archive" ||
        fail 'the download failed; check the network and start again'
      verify_swift "$archive.sig"
      archive=archive
    else
      say "Unpacking Swift from $archive into $swift_directory"
    fi
    mkdir swift
    tar -xf "$archive" -C swift --strip-components=1 || fail "$archive cannot be unpacked (about 4 GB of free space are needed)"
    rm -rf "$swift_directory"
    mv swift "$swift_directory"
  )
}

# Checks ./archive against its signature. Without signature or key it only says so: the download came over TLS from swift.org itself.
verify_swift() {
  export GNUPGHOME=$PWD/keys
  mkdir -m 700 keys
  if curl -fsL -o signature "$1" && curl -fsL https://www.swift.org/keys/all-keys.asc | gpg --batch --quiet --import 2>/dev/null; then
    gpg --batch --status-fd 1 --verify signature archive 2>/dev/null | grep -q "^\[GNUPG:\] VALIDSIG .*$swift_key" ||
      fail "the download's signature is wrong; somebody may have changed it. Start again, and from another network if it happens again"
    say "Its signature is that of Swift's release key $swift_key."
  else
    say "The signature or Swift's keys cannot be had; the download is not verified."
  fi
}
