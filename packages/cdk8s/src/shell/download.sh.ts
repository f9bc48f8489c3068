/** Note beside a model: why it is not there, in one line. */
export const FAILED_NOTE = ".capstan-failed";

/**
 * Functions that get a model into a directory and judge the result; the preloader of a node and the init container of a
 * pod share them. POSIX sh with coreutils only: the images of the two tools have nothing else in common (the one of `aws`
 * has neither `flock` nor `find`).
 *
 * They work on variables that the caller sets: `slug`, `kind` (s3 or hub), `source`, `revision`, `path`, `directory`,
 * `bytes`, `token` (name of the variable that holds it), `shown` (the source in messages); `-` stands for none.
 *
 * What was interrupted is not thrown away: both tools continue where files are missing. A `path` inside the source is
 * downloaded into a directory of its own first and moved to the top when it is complete, so the server finds
 * `model.onnx` there, with the external data whose name begins the same way beside it.
 */
export const DOWNLOAD_FUNCTIONS = `set -u
umask 022
work=\${WORK_DIRECTORY:-/tmp}
termination_log=\${TERMINATION_LOG:-/dev/termination-log}
child=
failures=

say() {
  echo "$(date -u +%Y-%m-%dT%H:%M:%SZ) $*"
}

# Runs a command in a way that a signal can end.
run() {
  "$@" &
  child=$!
  wait "$child"
  status=$?
  child=
  return "$status"
}

stop_child() {
  if [ -n "$child" ]; then
    kill "$child" 2>/dev/null
    wait "$child" 2>/dev/null
    child=
  fi
}

# Bytes of the files below a directory. Names that begin with a dot are the tools' and ours.
bytes_in() {
  total=0
  for entry in "$1"/*; do
    if [ -d "$entry" ]; then
      total=$((total + $(bytes_in "$entry")))
    elif [ -e "$entry" ]; then
      total=$((total + $(wc -c < "$entry")))
    fi
  done
  echo "$total"
}

free_kib() {
  df -Pk "$1" | { read -r _; read -r _ _ _ free _; echo "$free"; }
}

# Notes why a model is not there: for the end, for the log, and for the pods that wait for it.
fail() {
  message="model $slug: $1"
  say "$message"
  failures="$failures$message
"
  { echo "$message" > "$directory/${FAILED_NOTE}"; } 2>/dev/null
  return 1
}

# The kubelet keeps 4096 bytes.
give_up() {
  printf '%s' "$failures" | head -c 4000 > "$termination_log"
  exit 1
}

download() {
  part=$directory
  if [ "$path" != - ]; then
    part=$directory/.capstan-part
    mkdir -p "$part" 2>/dev/null
  fi
  case $kind in
    s3)
      # Ten at a time is the default; one connection gives some 100 MB/s.
      printf '[default]\\ns3 =\\n  max_concurrent_requests = 32\\n' > "$work/aws-config"
      export AWS_CONFIG_FILE="$work/aws-config"
      if [ "$path" = - ]; then
        set -- --exclude '.capstan-*'
      else
        set -- --exclude '*' --include "$path*"
      fi
      # --delete takes away what a killed run left half-written under another name.
      set -- aws s3 sync "$source" "$part" --delete --only-show-errors "$@"
      ;;
    hub)
      set -- hf download "$source" --local-dir "$part"
      if [ "$revision" != - ]; then set -- "$@" --revision "$revision"; fi
      if [ "$path" != - ]; then set -- "$@" --include "$path*"; fi
      if [ "$token" != - ]; then
        eval "HF_TOKEN=\\\${$token}"
        export HF_TOKEN
      fi
      ;;
  esac
  run "$@" < /dev/null > "$work/tool.log" 2>&1 || return 1
  if [ "$path" = - ]; then return 0; fi
  if [ -d "$part/$path" ]; then
    mv -f "$part/$path"/* "$directory"/ 2>"$work/tool.log" || return 1
  else
    for entry in "$part/$path"*; do
      # Nothing matched; the size is judged later.
      if [ ! -e "$entry" ]; then continue; fi
      mv -f "$entry" "$directory"/ 2>"$work/tool.log" || return 1
    done
  fi
  rm -rf "$part"
}

# The tool's own last words, and what they mean.
cause() {
  words=$(tail -n 20 "$work/tool.log" 2>/dev/null)
  last=$(tail -n 1 "$work/tool.log" 2>/dev/null)
  case $words in
    *'No space left'*) echo "no space left on the disk ($(free_kib "$directory") KiB free): $last" ;;
    *NoSuchKey* | *NoSuchBucket* | *'(404)'* | *'404 '* | *'ot Found'* | *NotFound*) echo "missing in the source: $last" ;;
    *AccessDenied* | *'Access Denied'* | *'(403)'* | *'403 '* | *Forbidden* | *'401 '* | *Unauthorized* | *GatedRepo*)
      echo "access denied: $last"
      ;;
    *) echo "download failed: $last" ;;
  esac
}

enough_space() {
  if [ "$bytes" = - ]; then return 0; fi
  used_kib=$(du -sk "$directory" | { read -r used _; echo "$used"; })
  needed_kib=$((bytes / 1024 - used_kib))
  free=$(free_kib "$directory")
  if [ "$needed_kib" -le "$free" ]; then return 0; fi
  fail "no space left on the disk: needs $((needed_kib / 1024)) MiB more, $((free / 1024)) MiB are free"
}

right_size() {
  have=$(bytes_in "$directory")
  if [ "$have" -eq 0 ]; then
    if [ "$path" = - ]; then fail "missing in the source: nothing under $shown"; else fail "missing in the source: no $path under $shown"; fi
    return 1
  fi
  # Published sizes are rounded or computed from the parameters, so a few per cent less is not a loss: the tools
  # check every file that they list. A repository or prefix without its weights is what this catches.
  if [ "$bytes" != - ] && [ $((have * 100)) -lt $((bytes * 95)) ]; then
    fail "wrong size: $have bytes, where $shown should have about $bytes"
    return 1
  fi
}

fetch() {
  enough_space || return 1
  say "model $slug: filling $directory from $shown"
  if ! download; then
    fail "$(cause); source $shown"
    return 1
  fi
  right_size
}
`;
