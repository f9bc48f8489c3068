import type { PulumiSdk } from "../run/sdk.ts";
import type { Replies } from "./monitor.ts";
import type { Message, MessageClasses } from "./protocol.ts";
import { setField, structOf } from "./protocol.ts";
import type { ResourceAnswer } from "./recorder.ts";

/** Answers as messages of the program's own SDK. */
export function messageReplies(sdk: PulumiSdk): Replies {
  const messages = sdk.load<MessageClasses>("proto/resource_pb.js");
  const { Empty } = sdk.dependency<MessageClasses>("google-protobuf/google/protobuf/empty_pb.js");

  function message(name: string, fields: Record<string, unknown>): Message {
    const made = new messages[name]!();
    for (const [field, value] of Object.entries(fields)) {
      // Older SDKs do not have every field, and then do not ask for it either.
      if (typeof made[`set${field}`] === "function") setField(made, field, value);
    }
    return made;
  }
  const found = ({ urn, id, state }: ResourceAnswer) => structOf(sdk, { urn, id, state });

  return {
    empty: () => new Empty!(),
    feature: (supported) => message("SupportsFeatureResponse", { Hassupport: supported }),
    features: (supported) => message("DeploymentInfo", { SupportedfeaturesList: supported }),
    registered: ({ urn, id, state }) =>
      message("RegisterResourceResponse", { Urn: urn, Id: id, Object: structOf(sdk, state) }),
    read: ({ urn, id, state }) =>
      message("ReadResourceResponse", { Urn: urn, Id: id, Properties: structOf(sdk, state) }),
    found: (answer) => message("ResourceInvokeResponse", { Return: found(answer) }),
    existsUnknown: () => message("ExistsResourceResponse", { Exists: false, Unknown: true }),
    package: (reference) => message("RegisterPackageResponse", { Ref: reference }),
  };
}
