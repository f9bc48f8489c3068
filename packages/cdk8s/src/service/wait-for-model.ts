import type { ResolvedService } from "@capstan/core";
import type { IContainer } from "kubernetes-models/v1";
import { COMPLETE_MARKER, markerOf } from "../model-cache/marker.ts";
import { FAILED_NOTE } from "../shell/download.sh.ts";
import { containerSecurity, hostResources } from "./container.ts";
import type { NvmeVolume } from "./model-volume.ts";
import { MODEL_VOLUME, WAIT_CONTAINER } from "./names.ts";

/**
 * Waits until the preloader has the whole model on this node. Only reads: the mount is read-only, and so is the volume.
 *
 * It runs in the service's own image, which the node pulls anyway and which is pinned already; all it needs is a shell.
 * It asks for the same CPU and memory as the server, because a pod's request is the larger of the two and the static
 * CPU manager takes whole cores only, so it costs nothing.
 */
export function waitForModel(service: ResolvedService, cache: NvmeVolume): IContainer {
  const amounts = hostResources(service);
  return {
    name: WAIT_CONTAINER,
    image: service.imageReference,
    imagePullPolicy: "IfNotPresent",
    command: ["/bin/sh", "-c", WAIT_SCRIPT],
    env: [
      { name: "MODEL", value: service.model.slug },
      { name: "MODEL_DIRECTORY", value: WAIT_DIRECTORY },
      { name: "WANTED", value: markerOf(cache) },
      { name: "PRELOADER", value: cache.preloader },
      { name: "BUDGET_SECONDS", value: String(service.rollout.progressDeadlineSeconds) },
      // CUDA images ask for all GPUs of the node by default; this container gets none.
      { name: "NVIDIA_VISIBLE_DEVICES", value: "void" },
    ],
    resources: { requests: amounts, limits: amounts },
    terminationMessagePolicy: "FallbackToLogsOnError",
    securityContext: containerSecurity(service),
    volumeMounts: [{ name: MODEL_VOLUME, mountPath: WAIT_DIRECTORY, readOnly: true }],
  };
}

const WAIT_DIRECTORY = "/model";

/** Says every ten seconds what it waits for, and in the termination message why it gave up. */
export const WAIT_SCRIPT = `set -u
trap 'exit 143' TERM INT
waited=0
while :; do
  have=
  { read -r have < "$MODEL_DIRECTORY/${COMPLETE_MARKER}"; } 2>/dev/null
  if [ "$have" = "$WANTED" ]; then
    echo "model $MODEL is complete on this node"
    exit 0
  fi
  trouble=
  { read -r trouble < "$MODEL_DIRECTORY/${FAILED_NOTE}"; } 2>/dev/null
  state="model $MODEL is not complete on this node after \${waited} s"
  if [ -n "$trouble" ]; then
    state="$state; preloader $PRELOADER says: $trouble"
  elif [ -n "$have" ]; then
    state="$state; there is \\"$have\\", wanted is \\"$WANTED\\""
  else
    state="$state; preloader $PRELOADER has not finished"
  fi
  if [ "$waited" -ge "$BUDGET_SECONDS" ]; then
    echo "$state; gave up, see the log of DaemonSet $PRELOADER on this node" > "\${TERMINATION_LOG:-/dev/termination-log}"
    exit 1
  fi
  echo "$state"
  sleep "\${POLL_SECONDS:-10}" &
  wait $!
  waited=$((waited + \${POLL_SECONDS:-10}))
done
`;
