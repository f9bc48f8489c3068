import { expect, test } from "vitest";
import { resolveService } from "../../check.ts";
import { isSecretName, looksLikeSecret, showArgument } from "../secrets.ts";
import { llama8b } from "./example-services.ts";

test.each([
  ["HF_TOKEN", true],
  ["HUGGING_FACE_HUB_TOKEN", true],
  ["AWS_SECRET_ACCESS_KEY", true],
  ["VLLM_API_KEY", true],
  ["db_password", true],
  ["TOKENIZERS_PARALLELISM", false],
  ["HF_TOKEN_PATH", false],
  ["VLLM_MAX_BAD_WORDS_TOTAL_TOKENS", false],
])("%s: %s", (name, secret) => {
  expect(isSecretName(name)).toBe(secret);
});

test.each([
  ["hf_abcdefghijklmnopqrstuvwx", true],
  ["Bearer sk-abcdefghijklmnopqrst", true],
  ["AKIAABCDEFGHIJKLMNOP", true],
  ["-----BEGIN RSA PRIVATE KEY-----", true],
  ["task-abcdefghijklmnopqrst", false],
  ["/models/hf_cache", false],
])("%s looks like a secret: %s", (value, secret) => {
  expect(looksLikeSecret(value)).toBe(secret);
});

test("an argument is shown without its secret", () => {
  expect(showArgument("--api-key=abc")).toBe("--api-key=***");
  expect(showArgument("--hf_token abc")).toBe("--hf_token ***");
  expect(showArgument("abc", "--api-key")).toBe("***");
  expect(showArgument("--seed=1")).toBe("--seed=1");
});

test("no finding repeats a secret, however it is given", () => {
  const secret = "hf_SeCrEtSeCrEtSeCrEtSeCrEt";
  const declared = llama8b({
    extraArgs: [
      `--api-key=${secret}`,
      `--api-key ${secret}`,
      "--hf-token",
      secret,
      `--seed=${secret}`,
      `-q=${secret}`,
      `--enforce-eager=${secret}`,
      secret,
    ],
    environmentVariables: [
      { name: "HF_TOKEN", value: secret },
      { name: "CUDA_VISIBLE_DEVICES", value: secret },
      { name: "VLLM_PORT", value: secret },
    ],
  });
  const { findings } = resolveService(declared);
  expect(findings.map(({ id }) => id)).toEqual(
    expect.arrayContaining(["vllm.args.secret", "vllm.env.secret", "vllm.args.form"]),
  );
  for (const { message, remedy } of findings) expect(`${message} ${remedy}`).not.toContain(secret);
});
