import { expect, test } from "vitest";
import { formatDocument } from "./json.ts";

test("a record of a table has one line, however long, and the text is JSON", () => {
  const document = {
    asOf: "2026-01-01",
    rows: [
      { id: "a", text: "x".repeat(400) },
      { id: "b", text: 'quote " and \\' },
    ],
    empty: [],
    byId: { a: [1, 2] },
  };
  const text = formatDocument(document, ["rows", "byId"]);
  expect(JSON.parse(text)).toEqual(document);
  expect(text.split("\n").filter((line) => line.includes('"id"'))).toHaveLength(2);
});

test("what fits stays on one line, what does not is broken up", () => {
  const text = formatDocument({ short: [1, 2, 3], long: [{ a: "x".repeat(180) }, { a: "y".repeat(180) }] });
  expect(text).toContain('  "short": [1, 2, 3]');
  expect(text.split("\n").find((line) => line.includes("xxx"))).not.toContain("yyy");
  // A pattern over a hundred layers is read across, not down.
  const layers = Array.from({ length: 100 }, () => "sliding");
  expect(formatDocument({ layers }).split("\n")).toHaveLength(3);
});
