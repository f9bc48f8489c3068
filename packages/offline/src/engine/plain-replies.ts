import type { Replies } from "./monitor.ts";
import type { ResourceAnswer } from "./recorder.ts";
import type { WireObject } from "./values.ts";

const SUCCESS = 0;

/**
 * Answers inside the process: objects with the getters that the SDK calls. Building real messages instead, only for the
 * SDK to take them apart again, costs about a third of the time of a recording.
 */
export const plainReplies: Replies = {
  empty: () => ({}),
  feature: (supported) => ({ getHassupport: () => supported }),
  features: (supported) => ({ getSupportedfeaturesList: () => supported }),
  registered: (answer) => ({
    getUrn: () => answer.urn,
    getId: () => answer.id,
    getObject: () => struct(answer.state),
    getPropertydependenciesMap: () => undefined,
    getResult: () => SUCCESS,
    getUnknown: () => false,
  }),
  read: (answer) => ({
    getUrn: () => answer.urn,
    getId: () => answer.id,
    getProperties: () => struct(answer.state),
    getResult: () => SUCCESS,
    getUnknown: () => false,
  }),
  found: (answer) => ({ getFailuresList: () => [], getReturn: () => ({ getFieldsMap: () => fieldsOf(answer) }) }),
  existsUnknown: () => ({ getExists: () => false, getUnknown: () => true }),
  package: (reference) => ({ getRef: () => reference }),
};

function struct(value: WireObject): object {
  return { toJavaScript: () => value };
}

function fieldsOf(answer: ResourceAnswer): ReadonlyMap<string, object> {
  return new Map<string, object>([
    ["urn", { toJavaScript: () => answer.urn }],
    ["id", { toJavaScript: () => answer.id }],
    ["state", { getStructValue: () => struct(answer.state) }],
  ]);
}
