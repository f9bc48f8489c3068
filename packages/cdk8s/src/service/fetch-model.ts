import type { ResolvedFetch, ResolvedService } from "@capstan/core";
import type { IContainer } from "kubernetes-models/v1";
import { s3Url, sourceUrl } from "../model-cache/marker.ts";
import { toolEnvironment } from "../shell/tools.ts";
import { containerSecurity, hostResources } from "./container.ts";
import { FETCH_SCRIPT } from "./fetch.sh.ts";
import { FETCH_CONTAINER } from "./names.ts";

/**
 * Downloads the model into a directory of the pod before the server starts, for servers that cannot do it themselves.
 * It runs as the server's user and asks for the server's CPU and memory: a pod's request is the larger of the two.
 */
export function fetchModel(service: ResolvedService, fetch: ResolvedFetch): IContainer {
  const { source } = fetch;
  const amounts = hostResources(service);
  return {
    name: FETCH_CONTAINER,
    image: fetch.image,
    imagePullPolicy: "IfNotPresent",
    command: ["/bin/sh", "-c", FETCH_SCRIPT],
    env: [
      { name: "MODEL", value: service.model.slug },
      { name: "SOURCE_KIND", value: source.kind },
      { name: "SOURCE", value: source.kind === "s3" ? s3Url(source) : source.repository },
      { name: "SHOWN", value: sourceUrl(source) },
      { name: "REVISION", value: (source.kind === "hub" ? source.revision : null) ?? "-" },
      { name: "SOURCE_PATH", value: fetch.path ?? "-" },
      { name: "DIRECTORY", value: fetch.directory },
      { name: "BYTES", value: fetch.bytes === null ? "-" : String(fetch.bytes) },
      ...toolEnvironment(source.kind),
      ...(source.kind === "hub" && source.token !== null
        ? [
            {
              name: "HF_TOKEN",
              valueFrom: { secretKeyRef: { name: source.token.secretName, key: source.token.key } },
            },
          ]
        : []),
    ],
    resources: { requests: amounts, limits: amounts },
    terminationMessagePolicy: "FallbackToLogsOnError",
    securityContext: containerSecurity(service),
    volumeMounts: service.writable.map(({ name, mountPath }) => ({ name, mountPath })),
  };
}
