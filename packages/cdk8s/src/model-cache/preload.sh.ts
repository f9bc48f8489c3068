import { DOWNLOAD_FUNCTIONS, FAILED_NOTE } from "../shell/download.sh.ts";
import { COMPLETE_MARKER } from "./marker.ts";

/** Whose directory it is: the name of the preloader that made it. */
const OWNER_NOTE = ".capstan-owner";
const LOCK_DIRECTORY = ".capstan-lock";

const COLUMNS = "slug kind source revision path directory bytes token shown marker";

/**
 * Fills a node's cache directory from a list of models, and stays.
 *
 * - A marker is written last, by rename, and holds what was asked for; nothing else says that a model is there.
 * - A lock directory keeps two preloaders out of one model. Its holder refreshes it; one that is not refreshed is stale.
 *   A restarted container of the same pod takes its own lock back at once.
 * - A model that fails does not keep the others out. The failures are told together at the end, in the container's
 *   termination message, and beside the model, where the pods that wait for it read them. The kubelet restarts the
 *   container with growing pauses.
 */
export const PRELOAD_SCRIPT = `${DOWNLOAD_FUNCTIONS}
lock_stale_seconds=\${LOCK_STALE_SECONDS:-90}
lock_poll_seconds=\${LOCK_POLL_SECONDS:-5}
heartbeat_seconds=\${HEARTBEAT_SECONDS:-15}
recheck_seconds=\${RECHECK_SECONDS:-600}
tab=$(printf '\\t')
lock=
beat=

release() {
  if [ -n "$beat" ]; then
    kill "$beat" 2>/dev/null
    beat=
  fi
  if [ -n "$lock" ]; then
    rm -rf "$lock"
    lock=
  fi
}

stop() {
  stop_child
  release
  exit 143
}
trap stop TERM INT

first_line() {
  line=
  { read -r line < "$1"; } 2>/dev/null
  echo "$line"
}

# GNU and busybox first, then BSD.
changed_at() {
  stat -c %Y "$1" 2>/dev/null || stat -f %m "$1" 2>/dev/null
}

age_of() {
  changed=$(changed_at "$1/holder" || changed_at "$1" || date +%s)
  echo $(($(date +%s) - changed))
}

take_lock() {
  wanted_lock=$directory/${LOCK_DIRECTORY}
  until mkdir "$wanted_lock" 2>/dev/null; do
    if [ ! -d "$wanted_lock" ]; then
      fail "cannot write to $directory ($(free_kib "$directory") KiB free)"
      return 1
    fi
    holder=$(first_line "$wanted_lock/holder")
    if [ "$holder" = "$HOLDER" ] || [ "$(age_of "$wanted_lock")" -gt "$lock_stale_seconds" ]; then
      # Renaming succeeds for one of several takers only.
      if mv "$wanted_lock" "$wanted_lock.$$" 2>/dev/null; then
        say "model $slug: taking over the lock of \${holder:-nobody}"
        rm -rf "$wanted_lock.$$"
        continue
      fi
    else
      say "model $slug: \${holder:-another preloader} is at it; waiting"
    fi
    run sleep "$lock_poll_seconds"
  done
  lock=$wanted_lock
  { echo "$HOLDER" > "$lock/holder"; } 2>/dev/null
  (
    # Ends with its parent, also one that was killed.
    while kill -0 $$ 2>/dev/null && touch "$lock/holder" 2>/dev/null; do
      sleep "$heartbeat_seconds"
      du -sk "$directory" 2>/dev/null | { read -r kib _ && say "model $slug: $((kib / 1024)) MiB so far"; }
    done
  ) &
  beat=$!
}

is_complete() {
  [ "$(first_line "$directory/${COMPLETE_MARKER}")" = "$marker" ]
}

fill() {
  if is_complete; then return 0; fi
  take_lock || return 1
  # Somebody else may have filled it while this one waited.
  if is_complete; then return 0; fi
  rm -f "$directory/${COMPLETE_MARKER}"
  fetch || return 1
  # The marker must not reach the disk before the files.
  sync -f "$directory" 2>/dev/null || sync
  if ! { echo "$marker" > "$directory/${COMPLETE_MARKER}.new"; } 2>/dev/null; then
    fail "no space left on the disk for the marker"
    return 1
  fi
  mv -f "$directory/${COMPLETE_MARKER}.new" "$directory/${COMPLETE_MARKER}"
  rm -f "$directory/${FAILED_NOTE}"
  say "model $slug: complete, $have bytes"
}

# First of all: the volumes of the waiting pods can be mounted from then on, and the pods say what they wait for.
make_directories() {
  while IFS=$tab read -r ${COLUMNS}; do
    if ! mkdir -p "$directory" 2>/dev/null; then continue; fi
    if [ ! -s "$directory/${OWNER_NOTE}" ]; then { echo "$PRELOADER" > "$directory/${OWNER_NOTE}"; } 2>/dev/null; fi
  done < "$MODEL_LIST"
}

listed() {
  while IFS=$tab read -r ${COLUMNS}; do
    if [ "$directory" = "$1" ]; then return 0; fi
  done < "$MODEL_LIST"
  return 1
}

# Models that are no longer wanted, of this preloader only.
remove_unlisted() {
  for note in "$CACHE_ROOT"/*/${OWNER_NOTE}; do
    if [ "$(first_line "$note")" != "$PRELOADER" ]; then continue; fi
    old=\${note%/${OWNER_NOTE}}
    if listed "$old"; then continue; fi
    say "removing $old: no longer in the list"
    rm -rf "$old"
  done
}

rm -f "$work/ready"
while :; do
  failures=
  make_directories
  remove_unlisted
  while IFS=$tab read -r ${COLUMNS}; do
    if [ "$kind" != "$SOURCE_KIND" ]; then continue; fi
    fill
    release
  done < "$MODEL_LIST"
  if [ -n "$failures" ]; then
    rm -f "$work/ready"
    give_up
  fi
  : > "$work/ready"
  run sleep "$recheck_seconds"
done
`;
