import { translatorFor } from "@colloquy/messages/translators.ts";
import { languageNames } from "@colloquy/schemas/languages.ts";
import { expect } from "chai";
import type { Prompt } from "../prompt.ts";
import type { Passage } from "../segments.ts";
import { replyText } from "./reply.ts";
import { nothingElse } from "./teaching-step.ts";

const trail = ["The Unix Shell", "Pipes"];
const passages: Passage[] = [
  {
    id: "s1",
    title: "What a pipe does",
    trail,
    kind: "prose",
    isMarkdown: true,
    text: "A pipe hands the output of one command to the next, because the next one reads it as its input. Nothing is written to a file.",
  },
  { id: "s2", title: "Names", trail, kind: "prose", isMarkdown: true, text: "Folders have names. A pipe of clay is something else." },
  {
    id: "s3",
    title: "Count",
    trail,
    kind: "exercise",
    isMarkdown: true,
    text: "How many files does a pipe from one command to the next write?",
  },
  { id: "s4", title: "Count", trail, kind: "solution", isMarkdown: true, text: "None: nothing is written to a file." },
  {
    id: "s5",
    title: "In three steps",
    trail,
    kind: "prose",
    isMarkdown: true,
    text: "1. The shell starts both commands of the pipe.\n2. It hands the output of the first to the next.\n3. It shows what the last one writes.",
  },
];

const unread = { question: "What does the next command read?", choices: ["Its input", "A file"] };
function replied(question: string, read: string[] = [], about = ["s1"], open = unread): string {
  const tags = { objective: "Join commands by a pipe.", about, open };
  const whole = Object.entries(tags)
    .map(([name, value]) => `<${name}>${JSON.stringify(value)}</${name}>`)
    .join("\n");
  const prompt: Prompt = { passages, history: read.map((text) => ({ role: "assistant", text })), question, whole };
  return replyText(prompt) ?? expect.fail("no reply");
}

describe("a reply of the demonstration model to a learner who asks back", () => {
  it("is what the open question rests on, and nothing beside it", () => {
    for (const question of ["Why?", "I don't understand this", "Warum?"])
      expect(replied(question)).to.match(/^A pipe hands .*\[s1\] Nothing is written to a file\. \[s1\]$/);
  });

  it("is given to common ways of asking, in each language of the interface", () => {
    for (const question of [
      "I don’t understand",
      "I don't see step 2",
      "Schritt 2 verstehe ich nicht.",
      "Tell me more",
      "I'm lost",
      "What does that mean?",
      "Can you explain it in other words, please?",
      "Kannst du das noch einmal erklären?",
      "Das verstehe ich nicht.",
      "لا أفهم هذا",
      "اشرح لي مرة أخرى، من فضلك",
    ])
      expect(replied(question), question).to.match(/^A pipe hands .*\[s1\]/);
  });

  it("is given to the two buttons beside the field, in each language of the interface", () => {
    for (const language of languageNames) {
      const { msg } = translatorFor(language);
      expect(replied(msg("tutor.askWhy")), language).to.match(/^A pipe hands .*\[s1\]/);
      expect(replied(msg("tutor.askForExample")), language).to.match(/How many files.*\[s3\].*None.*\[s4\]/s);
    }
  });

  it("is the step of a numbered list that the learner names, and where it leads", () => {
    for (const question of ["I don't see step 2", "Schritt 2 verstehe ich nicht.", "لا أفهم الخطوة ٢"])
      expect(replied(question, [], ["s5"]), question).to.equal(
        "2. It hands the output of the first to the next. [s5]\n3. It shows what the last one writes. [s5]",
      );
    expect(replied("Is it 2?", [], ["s5"])).to.match(/The shell starts both/);
  });

  it("goes on with the rest of the page, and says that there is nothing else once that was read", () => {
    expect(replied("Why?", [passages[0]?.text ?? ""])).to.match(/The shell starts both/);
    expect(replied("Why?", [passages.map(({ text }) => text).join("\n")])).to.equal(nothingElse);
  });

  it("leaves out what the open question asks for: the sentence of its gap, what one of its choices says, what has its words", () => {
    const gap = { question: "Fill the gap.\n\nNothing is written to a […].", choices: [] };
    const choice = { question: "Which statement is true?", choices: ["Nothing is written to a file.", "Everything is written to a file."] };
    const listed = { question: `${choice.question}\n\n${choice.choices.map((text) => `- ${text}`).join("\n")}`, choices: [] };
    const typed = { question: "Is something written to a file?", choices: [] };
    for (const open of [gap, choice, listed, typed]) expect(replied("Why?", [], ["s1"], open)).to.match(/^A pipe hands .*\[s1\]$/);
  });

  it("leaves out what a question on code asks for: code and table of it, and sentences with the name that it lacks", () => {
    const kept = "Query results are not sorted, because records are stored in no order.";
    const page: Passage[] = [
      ["prose", `${kept} We can sort them by adding an \`ORDER BY\` clause to our query:`],
      ["code", "```sql\nSELECT * FROM Person ORDER BY id;\n```"],
      ["table", "| id |\n| --- |\n| dyer |"],
    ].map(([kind = "", text = ""], at) => ({
      id: `s${at + 1}`,
      title: "Sorting",
      trail,
      kind,
      isMarkdown: true,
      text,
      ...(at > 0 && { follows: `s${at}` }),
    }));
    const table = "Its output:\n\n| id |\n|---|\n| dyer |";
    for (const said of ["The course says: “We can sort them by adding an `…` clause to our query:”\n\n", ""]) {
      const question = `What belongs in the gap?\n\n${said}\`\`\`sql\nSELECT * FROM Person […] id;\n\`\`\`\n\n${table}`;
      const whole = `<about>["s2","s3"]</about><open>${JSON.stringify({ question, choices: [] })}</open><objective>"Sort rows."</objective>`;
      expect(replyText({ passages: page, history: [], question: "Why?", whole })).to.match(/^Query results are not sorted.*\[s1\]$/);
    }
  });

  it("says so of what the course is not about", () => {
    expect(replied("How does photosynthesis work?")).to.equal(nothingElse);
  });

  it("names the nearest section of the page where nothing answers", () => {
    const sorting: Passage = {
      id: "s6",
      title: "Sorting",
      trail: [...trail, "Sorting"],
      kind: "prose",
      isMarkdown: true,
      text: "Lines are sorted by their first letters. Nobody can see what a command is about to do.",
    };
    passages.push(sorting);
    try {
      expect(replied("How do I sort by height and by weight?")).to.match(/- Sorting \[s6\]/);
    } finally {
      passages.pop();
    }
  });

  it("gives an exercise with its solution for an example", () => {
    expect(replied("Give me an example")).to.match(/How many files.*\[s3\]\n\n\*\*Solution\*\*\n\nNone.*\[s4\]/s);
  });
});
