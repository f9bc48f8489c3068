import type { ProgramSettings } from "./runtime.ts";

/** Left by an enclosing run of Pulumi, or changing what a program registers. */
const NOT_INHERITED = /^(PULUMI_NODEJS_(?!TSCONFIG_PATH$)|PULUMI_CONFIG|PULUMI_ENABLE_LEGACY_APPLY|TRACEPARENT$)/;

/** Environment of a program's process at its start: ours, without what an enclosing run has left. */
export function programEnvironment(): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !NOT_INHERITED.test(name));
  return {
    ...Object.fromEntries(inherited),
    // gRPC would send even what stays on this machine through a proxy.
    no_grpc_proxy: "127.0.0.1",
  };
}

/** What of the settings a program's process puts into its own environment. */
export type ConfigSettings = Pick<ProgramSettings, "config" | "secretConfig">;

/**
 * Puts configuration where Pulumi's command line puts it. Done inside the program's process: what a process is started
 * with is limited (on Linux to 128 KiB for one variable), what it sets for itself is not.
 */
export function setConfigVariables({ config, secretConfig }: ConfigSettings): void {
  process.env.PULUMI_CONFIG = JSON.stringify(config);
  process.env.PULUMI_CONFIG_SECRET_KEYS = JSON.stringify(secretConfig);
}
