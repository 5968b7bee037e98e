/** Answers as models write them, as long as wanted; the same for the same length. Lengths in letters. */
export type Kind = "mixed" | "list" | "inside" | "table" | "code";

/** A small generator with a fixed seed (mulberry32). */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  };
}

const words =
  "a pipe connects the output of one command with the input of the next so that small tools become large ones without files between them every filter reads lines and writes lines while the shell starts them side by side and waits until the last has finished".split(
    " ",
  );

/** @returns the text, exactly `length` letters of it */
export function answerText(kind: Kind, length: number): string {
  const next = numbers(length);
  const upTo = (most: number) => Math.floor(next() * most);
  const sentence = (count: number): string => {
    const picked = Array.from({ length: count }, () => words[upTo(words.length)] ?? "");
    const at = upTo(count);
    const style = ["**", "*", "`", "~~"][upTo(5)] ?? "";
    picked[at] = style + picked[at] + style;
    if (upTo(6) === 0) picked[upTo(count)] = "[the page](https://example.org/page)";
    return `${picked.join(" ")}${upTo(4) === 0 ? `[^${1 + upTo(6)}]` : ""}.`;
  };
  const lines = (count: number, line: (index: number) => string) => Array.from({ length: count }, (_, index) => line(index)).join("\n");
  const codeLine = (index: number) =>
    `${"  ".repeat(upTo(3))}const value${index} = compute(${upTo(100)}, "text ${index}"); // ${words[upTo(words.length)]}`;
  const row = () => `| ${sentence(3)} | ${upTo(1000)} | \`${words[upTo(words.length)]}\` | ${sentence(2)} |`;
  const head = "| what | how many | name | why |\n|:--|--:|---|---|";
  const item = (index: number) => `- ${sentence(8 + upTo(10))}${index % 9 === 4 ? `\n  - ${sentence(6)}\n  - ${sentence(6)}` : ""}`;
  const parts: (() => string)[] = [
    () => `${"#".repeat(2 + upTo(3))} ${sentence(4)}`,
    () => lines(3, () => sentence(14)),
    () => lines(2, () => sentence(20)),
    () => `So it follows that $x_${upTo(9)}^2 + ${upTo(50)} = y$ and \\(a \\le b\\), for $${upTo(90)} or less.`,
    () => lines(4 + upTo(5), item),
    () => lines(4 + upTo(4), (index) => `${index + 1}. **${words[upTo(words.length)]}** ${sentence(12)}`),
    () => `\`\`\`js\n${lines(14, codeLine)}\n\`\`\``,
    () => `${head}\n${lines(5, row)}`,
    () => `> ${sentence(12)}\n> ${sentence(12)}`,
    () => `$$\n\\sum_{i=0}^{${upTo(90)}} x_i = \\frac{${upTo(9)}}{2}\n$$`,
    () => `- [x] ${sentence(5)}\n- [ ] ${sentence(5)}`,
    () => `> [!NOTE]\n> ${sentence(10)}`,
  ];
  const pieces: Record<Kind, () => string> = {
    mixed: () => `${parts[upTo(parts.length)]?.() ?? ""}\n\n`,
    list: () => `${item(upTo(9))}\n`,
    inside: () => `  - ${sentence(8 + upTo(10))}\n`,
    table: () => `${row()}\n`,
    code: () => `${codeLine(upTo(1000))}\n`,
  };
  let text = { mixed: `${sentence(12)}\n\n`, list: "", inside: "- first\n- second\n", table: `${head}\n`, code: "```js\n" }[kind];
  while (text.length < length) text += pieces[kind]();
  return text.slice(0, length);
}
