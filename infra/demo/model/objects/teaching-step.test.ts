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
    follows: "s1",
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
    id: "s6",
    title: "Who prints what",
    trail: [...page, "Who prints what"],
    kind: "exercise",
    text: "Which command of a pipe writes to the screen, the one before the sign that joins commands or the one behind it?",
  },
  {
    id: "s7",
    title: "Who prints what",
    trail: [...page, "Who prints what"],
    kind: "solution",
    text: "The second one. What the first one writes goes into the pipe that joins the two commands, and the second one reads all of it there while it is still being written, so nothing of the first is seen on the screen unless the second one prints it again. A third command may follow, and then the second one writes into a pipe, too.",
  },
  {
    id: "s8",
    title: "A pipe",
    trail: [...page, "What a pipe does"],
    kind: "figure",
    text: "Two boxes, one for each command, and an arrow for the pipe that joins them.",
  },
  {
    id: "s4",
    title: "Pipes",
    trail: [...page, "Key points"],
    kind: "key-points",
    text: "A pipe joins commands.\nA filter reads what it is given.",
  },
];

function taught({ focus, shown = [], next = "" }: { focus: string[]; shown?: string[]; next?: string }): string {
  const tags = {
    objectives: [{ id: "o1", text: "Join commands by a pipe." }],
    teach: { title: "Pipes", angle: shown.length + 1 },
    focus,
    ...(shown.length > 0 && { shown }),
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

  it("names an output in the language of the course", () => {
    const trail = ["Die Shell", "Zählen"];
    const section: Passage[] = [
      { id: "s1", title: "Zählen", trail, kind: "prose", isMarkdown: true, text: "Der Befehl `wc -l` zählt die Zeilen, die er liest:" },
      { id: "s2", title: "Zählen", trail, kind: "code", isMarkdown: true, text: "```bash\nwc -l\n```", follows: "s1" },
      { id: "s3", title: "Zählen", trail, kind: "code", isMarkdown: true, text: "Output:\n\n```text\n3\n```", follows: "s2" },
    ];
    const whole = '<teach>{"title":"Zählen","angle":1}</teach><objectives>[{"id":"o1","text":"Zeilen zählen."}]</objectives>';
    expect(teachingText({ passages: section, history: [], question: "Teach this step.", whole })).to.contain("Ausgabe [s3]:");
  });

  it("goes on with the example right behind the section", () => {
    expect(taught({ focus: ["s1"] })).to.contain("three files");
    expect(taught({ focus: ["s3"] })).to.not.contain("three files");
  });

  it("leaves out the table that the next question asks for", () => {
    expect(taught({ focus: ["s1", "s3"] })).to.contain("the first lines");
    expect(taught({ focus: ["s1", "s3"], next: "What does each filter print?" })).to.not.contain("the first lines");
  });

  it("takes another side of the course after each one that was shown, never the key points", () => {
    const lessons = [taught({ focus: ["s1"] })];
    for (const expected of [
      /\*\*Who prints what\*\*[\s\S]*\*\*Solution\*\*\n\nThe second one/,
      /^What the picture on the page shows:\n\nTwo boxes/,
    ]) {
      const next = taught({ focus: ["s1"], shown: lessons });
      expect(next).to.match(expected);
      lessons.push(next);
    }
    expect(lessons.join("\n")).to.not.contain("[s4]");
  });

  it("shows another section with the code right behind it", () => {
    const trail = [...page, "Counting"];
    const said =
      "Counting the lines of a whole folder takes a pipe, for the command that lists files knows nothing of how many lines there are in it:";
    const more: Passage[] = [
      { id: "s9", title: "Counting", trail, kind: "prose", isMarkdown: true, text: said },
      { id: "s10", title: "Counting", trail, kind: "code", isMarkdown: true, text: "```bash\ncat * | wc -l\n```", follows: "s9" },
    ];
    const whole =
      '<objectives>[{"id":"o1","text":"Count the lines of a folder."}]</objectives><teach>{"title":"Counting","angle":2}</teach>';
    const prompt: Prompt = {
      passages: more,
      history: [],
      question: "Teach this step.",
      whole: `${whole}<focus>["s9"]</focus><shown>["x"]</shown>`,
    };
    expect(teachingText(prompt)).to.match(/lines there are in it \[s9\]\[s10\]:\n\n```bash\ncat/);
  });

  it("leaves a long table to the page", () => {
    const rows = Array.from({ length: 20 }, (_, at) => `| ${at} | lines |`);
    const table = { ...passages[3], id: "s9", text: ["| Filter | Prints |", "| --- | --- |", ...rows].join("\n") } as Passage;
    const whole =
      '<objectives>[{"id":"o1","text":"Know the filters."}]</objectives><teach>{"title":"Filters","angle":1}</teach><focus>["s1","s9"]</focus>';
    const text = teachingText({ passages: [...passages.slice(0, 2), table], history: [], question: "Teach this step.", whole });
    expect(text).to.contain("A pipe").and.not.contain("| 7 |");
  });

  it("begins with what a wrong answer is about, where that was not shown", () => {
    expect(taught({ focus: ["s1", "s3"], shown: [taught({ focus: ["s1"] })] })).to.contain("the first lines");
  });

  it("says that there is nothing else once all of it was shown", () => {
    const all = passages.map(({ text }) => text.replaceAll("\n", " "));
    expect(taught({ focus: ["s1"], shown: [...all, ...passages.map(({ text }) => text)] })).to.equal("<nothing-else/>");
  });
});
