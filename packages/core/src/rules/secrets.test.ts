import { expect, test } from "vitest";
import { holdsSecret, secretArgument } from "./secrets.ts";

test.each([
  ["HF_TOKEN", "abc", true],
  ["API_KEY", "abc", true],
  ["SORT_KEY", "created", true],
  ["db_password", "abc", true],
  ["AWS_SECRET_ACCESS_KEY", "abc", true],
  ["TOKEN", "", false],
  ["API_KEY", "$(FROM_SECRET)", false],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the form of a reference inside a string.
  ["API_KEY", "${ref:api-key}", false],
  ["TLS_KEY", "/etc/tls/key.pem", false],
  ["USE_TOKEN", "true", false],
  ["MAX_TOKENS", "4096", false],
  ["TOKENIZER", "auto", false],
  ["KEYBOARD", "qwerty", false],
  ["NOTE", "hf_aBcDeFgHiJkLmNoPqRsTuVwXyZ012345", true],
])("%s=%s holds a secret: %s", (name, value, secret) => {
  expect(holdsSecret({ name, value })).toBe(secret);
});

test.each([
  ["--api-key=abc", true],
  ["--hf_token=abc", true],
  ["--api-key", false],
  ["--api_key_file=/etc/keys/api", false],
  ["--api-key=$(API_KEY)", false],
  ["--max-tokens=5", false],
  ["--token=auto", false],
  ["hf_aBcDeFgHiJkLmNoPqRsTuVwXyZ012345", true],
])("argument %s holds a secret: %s", (argument, secret) => {
  expect(secretArgument(argument)).toBe(secret);
});
