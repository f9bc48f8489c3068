import type { PulumiSdk } from "../run/sdk.ts";
import { Engine } from "./engine.ts";
import { messageReplies } from "./message-replies.ts";
import type { Reply } from "./monitor.ts";
import { Monitor } from "./monitor.ts";
import type { GrpcServer, MessageClasses } from "./protocol.ts";
import { grpcOf, setField } from "./protocol.ts";
import type { Recorder } from "./recorder.ts";

export interface RecordingServer {
  /** `127.0.0.1:<port>`, for monitor and engine. */
  readonly address: string;
  close(): void;
}

/** Serves a recorder on this machine, to a program that runs under Pulumi's own runner. */
export async function serve(sdk: PulumiSdk, recorder: Recorder): Promise<RecordingServer> {
  const grpc = grpcOf(sdk);
  const { ResourceMonitorService } = sdk.load<{ ResourceMonitorService: object }>("proto/resource_grpc_pb.js");
  const { EngineService } = sdk.load<{ EngineService: object }>("proto/engine_grpc_pb.js");
  const server = new grpc.Server({ "grpc.max_receive_message_length": -1, "grpc.max_send_message_length": -1 });
  server.addService(
    ResourceMonitorService,
    handlers(ResourceMonitorService, new Monitor(recorder, sdk, messageReplies(sdk))),
  );
  server.addService(EngineService, handlers(EngineService, new Engine(recorder, engineReplies(sdk))));
  const port = await bind(server, grpc.ServerCredentials.createInsecure());
  return { address: `127.0.0.1:${port}`, close: () => server.forceShutdown() };
}

/** The service's methods that `target` has; gRPC answers the others with "unimplemented", which the SDK understands. */
function handlers(service: object, target: Monitor | Engine): Record<string, unknown> {
  const methods = target as unknown as Record<string, ((request: unknown, reply: Reply) => void) | undefined>;
  const known = Object.keys(service).filter((name) => typeof methods[name] === "function");
  return Object.fromEntries(
    known.map((name) => [
      name,
      (call: { request: unknown }, reply: Reply) => methods[name]?.call(target, call.request, reply),
    ]),
  );
}

function engineReplies(sdk: PulumiSdk) {
  const messages = sdk.load<MessageClasses>("proto/engine_pb.js");
  const { Empty } = sdk.dependency<MessageClasses>("google-protobuf/google/protobuf/empty_pb.js");
  return {
    empty: () => new Empty!(),
    rootSet: () => new messages.SetRootResourceResponse!(),
    root: (urn: string) => {
      const response = new messages.GetRootResourceResponse!();
      setField(response, "Urn", urn);
      return response;
    },
    versionAccepted: () => new messages.RequirePulumiVersionResponse!(),
  };
}

function bind(server: GrpcServer, credentials: unknown): Promise<number> {
  return new Promise((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", credentials, (error, port) => (error === null ? resolve(port) : reject(error)));
  });
}
