#!/usr/bin/env bash
# Installs a release of chainscope in a workflow: downloads the archive of this platform,
# compares its checksum with that of the release, and unpacks it.
#
# VERSION is a release or "latest", REPOSITORY is OWNER/REPOSITORY on GitHub. DOWNLOADS is
# another place with the same files: DOWNLOADS/vVERSION/FILE.
set -euo pipefail
: "${VERSION:?}" "${REPOSITORY:?}" "${GITHUB_PATH:?}" "${GITHUB_ENV:?}" "${GITHUB_OUTPUT:?}"
downloads=${DOWNLOADS:-https://github.com/$REPOSITORY/releases/download}

fetch() { curl --fail --silent --show-error --location --retry 3 --output "$2" "$1"; }

if [ "$VERSION" = latest ]; then
  # The page of the newest release redirects to that of its tag.
  page=$(curl --fail --silent --show-error --location --retry 3 --output /dev/null --write-out '%{url_effective}' "https://github.com/$REPOSITORY/releases/latest")
  VERSION=${page##*/}
fi
version=${VERSION#v}
[[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?$ ]] || { echo "::error::no release of chainscope: $VERSION; give one such as 1.2.0"; exit 1; }

case $(uname -s) in
  Linux) os=linux kind=tar.gz program=chainscope ;;
  Darwin) os=darwin kind=tar.gz program=chainscope ;;
  MINGW* | MSYS* | CYGWIN*) os=windows kind=zip program=chainscope.exe ;;
  *) echo "::error::chainscope has no release for $(uname -s)"; exit 1 ;;
esac
case $(uname -m) in
  x86_64 | amd64) arch=amd64 ;;
  arm64 | aarch64) arch=arm64 ;;
  *) echo "::error::chainscope has no release for $(uname -m)"; exit 1 ;;
esac

name=chainscope_${version}_${os}_${arch}
folder=${RUNNER_TOOL_CACHE:-${RUNNER_TEMP:-/tmp}}/chainscope/$version/$arch
mkdir -p "$folder"
fetch "$downloads/v$version/$name.$kind" "$folder/$name.$kind"
fetch "$downloads/v$version/checksums.txt" "$folder/checksums.txt"
want=$(awk -v file="$name.$kind" '$2 == file { print $1 }' "$folder/checksums.txt")
if command -v sha256sum >/dev/null; then got=$(sha256sum "$folder/$name.$kind"); else got=$(shasum -a 256 "$folder/$name.$kind"); fi
if [ -z "$want" ] || [ "${got%% *}" != "$want" ]; then
  echo "::error::the checksum of $name.$kind is ${got%% *}, the release says ${want:-nothing}"
  exit 1
fi
if [ "$kind" = zip ]; then unzip -q -o "$folder/$name.zip" -d "$folder"; else tar -xzf "$folder/$name.tar.gz" -C "$folder"; fi
path=$folder/$name/$program
"$path" version

echo "$folder/$name" >>"$GITHUB_PATH"
echo "CHAINSCOPE_BIN=$path" >>"$GITHUB_ENV"
{ echo "version=$version"; echo "path=$path"; } >>"$GITHUB_OUTPUT"
