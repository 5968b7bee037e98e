import { expect } from "chai";
import type { Prompt } from "../prompt.ts";
import type { Passage } from "../segments.ts";
import { teachingText } from "./teaching-step.ts";

const page = ["The Unix Shell", "Pipes"];
const passages: Passage[] = [
  {
    id: "s1",
    title: "Pipes",
    trail: [...page, "What a pipe does"],
    kind: "prose",
    isMarkdown: true,
    text: "A pipe hands the output of one command to the next. Nothing is written to a file.\n\nBoth commands run at the same time.",
  },
  {
    id: "s2",
    title: "Count",
    trail: [...page, "What a pipe does"],
    kind: "code",
    isMarkdown: true,
    text: "```bash\nls | wc -l\n```",
  },
  {
    id: "s5",
    title: "A worked example",
    trail: [...page, "A worked example"],
    kind: "prose",
    isMarkdown: true,
    text: "The folder has three files, so the pipe prints 3.",
  },
  {
    id: "s3",
    title: "Filters",
    trail: [...page, "Filters"],
    kind: "table",
    isMarkdown: true,
    text: "| Filter | Prints |\n| --- | --- |\n| head | the first lines |\n| tail | the last lines |",
  },
  {
    id: "s4",
    title: "Pipes",
    trail: [...page, "Key points"],
    kind: "key-points",
    text: "A pipe joins commands.\nA filter reads what it is given.",
  },
];

function taught({ focus, angle = 1, next = "" }: { focus: string[]; angle?: number; next?: string }): string {
  const tags = {
    objectives: [{ id: "o1", text: "Join commands by a pipe." }],
    teach: { title: "Pipes", angle },
    focus,
    ...(next && { next }),
  };
  const whole = Object.entries(tags)
    .map(([name, value]) => `<${name}>${JSON.stringify(value)}</${name}>`)
    .join("\n");
  const prompt: Prompt = { passages, history: [], question: "Teach this step.", whole };
  return teachingText(prompt) ?? expect.fail("no lesson");
}

describe("a lesson of the demonstration model", () => {
  it("is a short section as it was written, with the listing under its heading", () => {
    const text = taught({ focus: ["s1"] });
    expect(text).to.match(/^A pipe hands .* \[s1\] Nothing is written to a file\. \[s1\]\n\nBoth commands/);
    expect(text).to.contain("ls | wc -l");
  });

  it("goes on with the example right behind the section", () => {
    expect(taught({ focus: ["s1"] })).to.contain("three files");
    expect(taught({ focus: ["s3"] })).to.not.contain("three files");
  });

  it("leaves out the table that the next question asks for", () => {
    expect(taught({ focus: ["s1", "s3"] })).to.contain("the first lines");
    expect(taught({ focus: ["s1", "s3"], next: "What does each filter print?" })).to.not.contain("the first lines");
  });

  it("lists the key points from another angle", () => {
    expect(taught({ focus: ["s1", "s4"], angle: 2 })).to.equal("- A pipe joins commands. [s4]\n- A filter reads what it is given. [s4]");
  });
});
