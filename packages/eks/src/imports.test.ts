import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

/** Files of npm packages that plain Node has loaded after importing the entry. */
function loaded(): (packageName: string) => string[] {
  const entry = new URL("./index.ts", import.meta.url).href;
  const script = `
    import { createRequire } from "node:module";
    await import(${JSON.stringify(entry)});
    const loaded = Object.keys(createRequire(import.meta.url).cache);
    console.log(JSON.stringify(loaded));
  `;
  const output = execFileSync(process.execPath, ["--input-type=module", "--eval", script], {
    cwd: fileURLToPath(new URL("..", import.meta.url)),
    encoding: "utf8",
  });
  const paths = JSON.parse(output) as string[];
  return (packageName) => {
    const marker = `/node_modules/${packageName}/`;
    return paths
      .filter((path) => path.includes(marker))
      .map((path) => path.slice(path.lastIndexOf(marker) + marker.length));
  };
}

// The whole SDK has thousands of files and costs seconds; vitest would hide an import that plain Node cannot resolve.
test("plain Node loads the resources that are used, not the AWS SDK", () => {
  const from = loaded();
  const aws = from("@pulumi/aws");
  expect(aws).toContain("eks/nodeGroup.js");
  expect(aws.filter((file) => /(^|\/)index\.js$/.test(file) && !file.startsWith("types/"))).toEqual([]);
  expect(aws.length).toBeLessThan(60);
  const kubernetes = from("@pulumi/kubernetes");
  expect(kubernetes).toContain("provider.js");
  expect(kubernetes).not.toContain("index.js");
});
