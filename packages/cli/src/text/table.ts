import Table from "cli-table3";
import type pc from "picocolors";

export type Colours = ReturnType<typeof pc.createColors>;

/** Rows under a dim head, without lines. `right` names the columns of numbers. */
export function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  right: readonly number[],
  colours: Colours,
): string {
  const made = new Table({
    head: head.map((title) => colours.dim(title)),
    chars: NO_LINES,
    style: { head: [], border: [], "padding-left": 1, "padding-right": 0 },
    colAligns: head.map((_, i) => (right.includes(i) ? "right" : "left")),
  });
  made.push(...rows.map((row) => [...row]));
  return made
    .toString()
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n");
}

const NO_LINES = {
  top: "",
  "top-mid": "",
  "top-left": "",
  "top-right": "",
  bottom: "",
  "bottom-mid": "",
  "bottom-left": "",
  "bottom-right": "",
  left: " ",
  "left-mid": "",
  mid: "",
  "mid-mid": "",
  right: "",
  "right-mid": "",
  middle: " ",
};

/** Text in lines of at most `columns`, the first begun by `lead`, the others as deep as that. */
export function wrapped(text: string, lead: string, columns: number): string {
  const room = Math.max(20, columns - lead.length);
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > room) {
      lines.push(line);
      line = word;
    } else {
      line = line === "" ? word : `${line} ${word}`;
    }
  }
  return [...lines, line].map((part, i) => `${i === 0 ? lead : " ".repeat(lead.length)}${part}`).join("\n");
}
