import { DOWNLOAD_FUNCTIONS, FAILED_NOTE } from "../shell/download.sh.ts";

/**
 * Fills a directory of the pod once. A restarted container continues in what is there. It is part of a pod's command, in
 * which Kubernetes replaces `$(VARIABLE)` and makes one dollar of two: neither may occur.
 */
export const FETCH_SCRIPT = `${DOWNLOAD_FUNCTIONS}
stop() {
  stop_child
  exit 143
}
trap stop TERM INT

slug=$MODEL
kind=$SOURCE_KIND
source=$SOURCE
revision=$REVISION
path=$SOURCE_PATH
directory=$DIRECTORY
bytes=$BYTES
token=-
shown=$SHOWN
mkdir -p "$directory"
fetch || give_up
rm -f "$directory/${FAILED_NOTE}"
say "model $slug: complete, $have bytes"
`;
