import type { ProgramSettings } from "./runtime.ts";

/** Left by an enclosing run of Pulumi, or changing what a program registers. */
const NOT_INHERITED = /^(PULUMI_NODEJS_(?!TSCONFIG_PATH$)|PULUMI_CONFIG|PULUMI_ENABLE_LEGACY_APPLY|TRACEPARENT$)/;

/** Environment of a program's process: ours, with configuration where Pulumi's command line puts it. */
export function programEnvironment(settings: ProgramSettings): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !NOT_INHERITED.test(name));
  return {
    ...Object.fromEntries(inherited),
    PULUMI_CONFIG: JSON.stringify(settings.config),
    PULUMI_CONFIG_SECRET_KEYS: JSON.stringify(settings.secretConfig),
    // gRPC would send even what stays on this machine through a proxy.
    no_grpc_proxy: "127.0.0.1",
  };
}
