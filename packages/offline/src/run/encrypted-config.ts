/** What the SDK calls a type, and what Pulumi.yaml calls it. */
const DECLARED: Readonly<Record<string, string>> = { number: "integer", boolean: "boolean", "JSON object": "object" };

/**
 * What the user reads when a program cannot make sense of the placeholder of an encrypted value; undefined when an error
 * says something else. `said` is the message of the SDK's error.
 */
export function encryptedConfig(said: string): string | undefined {
  const [, key, complaint] = /^Configuration '(.+?)' value '\[secret\]' (.+)$/s.exec(said) ?? [];
  if (key === undefined || complaint === undefined) return undefined;
  const encrypted = `configuration ${key} is encrypted, so its value is unknown offline`;
  const [, expected = ""] = /^is not a valid (.+)$/.exec(complaint) ?? [];
  const type = DECLARED[expected];
  if (type === undefined) return `${encrypted}, and the program refuses what stands for it: it ${complaint}`;
  return (
    `${encrypted} and cannot be read as a ${expected}: declare "type: ${type}" for it under "config" in Pulumi.yaml, ` +
    "or read it as text (requireSecret) and convert it in apply"
  );
}
