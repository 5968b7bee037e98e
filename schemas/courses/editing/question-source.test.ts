import { expect } from "chai";
import { type Question, type QuestionKind, questionKinds } from "../blocks.ts";
import { parseBlock } from "../parse.ts";
import {
  addableParts,
  bodyStart,
  type KeptParts,
  promptCode,
  promptLine,
  readQuestionHeader,
  withHeaderField,
  withHeaderIds,
  withKind,
  withPart,
} from "./question-source.ts";
import { hasInstruction, keyTemplates, questionStarter } from "./question-templates.ts";

function questionOf(source: string): Question {
  const parsed = parseBlock({ id: "block-question", type: "core.question", source });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
  if (parsed.block.type !== "core.question") throw new Error("it is no question");
  return parsed.block.data;
}

const single = `---
kind: single
objective: obj-pipes
---
What does \`|\` do?

- [x] It connects commands.
  > Yes.
- [ ] It divides numbers.

::: hint
Think of water.
:::

::: explanation
A pipe passes output on.
:::`;

describe("the source of a question", () => {
  it("has a header that is read as it is written", () => {
    const source = "---\nkind: number\nabout: block-one1, block-two2\nplace: bank\ntolerance: 0,5\nretired: true\n---\nHow many?";
    expect(readQuestionHeader(source)).to.deep.equal({
      kind: "number",
      objective: "",
      level: "recall",
      about: ["block-one1", "block-two2"],
      place: "bank",
      tolerance: "0,5",
      unit: "",
      retired: true,
    });
    expect(readQuestionHeader("---\nkind: single\nfoo: bar\n---\nWhat?")).to.equal(null);
    expect(readQuestionHeader("What?")).to.equal(null);
  });

  it("keeps every other line when a field of the header changes", () => {
    const crlf = "---\r\nkind: single\r\nlevel:  application\r\n---\r\n\r\nWhat?\r\n";
    const set = withHeaderField(crlf, "place", "bank");
    expect(set).to.equal("---\r\nkind: single\r\nlevel:  application\r\nplace: bank\r\n---\r\n\r\nWhat?\r\n");
    expect(withHeaderField(set, "place", "")).to.equal(crlf);
    expect(withHeaderField(crlf, "level", "recall")).to.equal("---\r\nkind: single\r\nlevel: recall\r\n---\r\n\r\nWhat?\r\n");
    expect(withHeaderField(single, "objective", "obj-pipes")).to.equal(single);
    expect(withHeaderField("What?", "kind", "text")).to.equal("---\nkind: text\n---\nWhat?");
    expect(single.slice(bodyStart(single))).to.match(/^What does/);
  });

  it("gets other ids in its header only", () => {
    const source = withHeaderField(single.replace("water", "obj-pipes"), "about", "block-one1, block-two2");
    const now = withHeaderIds(source, (id) => ({ "obj-pipes": "obj-flows", "block-two2": "block-new2" })[id] ?? id);
    expect(now).to.equal(source.replace("objective: obj-pipes", "objective: obj-flows").replace("block-two2", "block-new2"));
    expect(withHeaderIds(source, (id) => id)).to.equal(source);
  });

  for (const kind of questionKinds)
    it(`becomes one of the kind ${kind} that is understood, and the same again`, () => {
      const other: QuestionKind = kind === "single" ? "match" : "single";
      const start = withKind(single, other, {});
      const switched = withKind(start.source, kind, start.kept);
      const { kind: now, hints, explanation, objective, markdown } = questionOf(switched.source);
      expect([now, hints, explanation, objective]).to.deep.equal([kind, ["Think of water."], "A pipe passes output on.", "obj-pipes"]);
      expect(markdown).to.match(/^What does `\|` do\?/);
      expect(withKind(switched.source, other, switched.kept).source).to.equal(start.source);
    });

  it("carries the right answers to another kind, and brings back the wrong ones", () => {
    let kept: KeptParts = {};
    const to = (source: string, kind: QuestionKind): string => {
      const next = withKind(source, kind, kept);
      ({ kept } = next);
      return next.source;
    };
    const text = to(single, "text");
    expect(questionOf(text)).to.deep.include({ accepted: ["It connects commands."] });
    const gap = to(text, "gap");
    expect(questionOf(gap)).to.deep.include({ gaps: [["It connects commands."]] });
    const again = to(gap.replace("Think of water", "Think of rivers"), "single");
    expect(questionOf(again)).to.deep.equal({ ...questionOf(single), hints: ["Think of rivers."] });
    const several = to(again, "multiple");
    expect(several).to.include("- [ ] It divides numbers.").and.include("kind: multiple");
  });

  it("escapes lines of the prompt that would be marks of the new kind", () => {
    const listed = single.replace("What does `|` do?", "Read:\n\n1. This.\n2. That.\n\n```\n1. code\n```");
    const { source, kept } = withKind(listed, "order", {});
    expect(questionOf(source).markdown).to.equal("Read:\n\n1. This.\n2. That.\n\n```\n1. code\n```");
    expect(questionOf(withKind(source, "single", kept).source)).to.deep.equal(questionOf(listed));
  });

  it("keeps tolerance and unit for numbers only", () => {
    const number = "---\nkind: number\ntolerance: 0.1\nunit: cm\n---\nHow long?\n\n= 3\n\n::: explanation\nMeasure.\n:::";
    const text = withKind(number, "text", {});
    expect(questionOf(text.source)).to.deep.include({ kind: "text", accepted: ["3"] });
    expect(withKind(text.source, "number", text.kept).source).to.equal(number);
  });

  for (const kind of questionKinds)
    it(`takes each part that a question of the kind ${kind} can have`, () => {
      const { source } = withKind(single, kind, {});
      for (const part of addableParts(source)) {
        const added = withPart(source, part);
        expect(added, part).to.not.equal(null);
        const { source: next, select } = added ?? { source: "", select: [0, 0] as const };
        expect(questionOf(next).kind, part).to.equal(kind);
        expect(questionOf(withPart(next, part === "explanation" ? "hint" : part)?.source ?? "").kind, part).to.equal(kind);
        expect(next.slice(...select), part).to.match(/^(?:Write|answer)/);
        expect(next.length).to.be.above(source.length);
      }
      expect(addableParts(source)).to.include("hint").and.not.include("explanation");
    });

  it("is left alone while its header cannot be read", () => {
    const broken = "---\nkind: singel\n---\nWhat?";
    expect(withKind(broken, "text", {})).to.deep.equal({ source: broken, kept: {} });
    expect([withPart(broken, "hint"), addableParts(broken)]).to.deep.equal([null, []]);
  });

  it("is unfinished as long as it has a text of a template", () => {
    expect(hasInstruction(single)).to.equal(false);
    for (const [kind, template] of Object.entries(keyTemplates)) expect(hasInstruction(template), kind).to.equal(kind !== "number");
    expect(hasInstruction(single.replace("It divides numbers.", "Write choice 7."))).to.equal(true);
    expect(hasInstruction("- A process => Write right side 4")).to.equal(true);
  });

  it("is named by its prompt in one line, without code and gaps", () => {
    const markdown = "What does it\nprint?\n\n```python\nprint(1)\n```\n\nIt prints [[1]].";
    expect(promptLine({ kind: "gap", markdown })).to.equal("What does it print? – It prints ___.");
    expect(promptCode({ kind: "gap", markdown: markdown.replace("print(1)", "print([[1]])") })).to.equal("print(___)");
    expect(promptCode({ kind: "text", markdown: "No code." })).to.equal("");
  });

  it("starts as a question that is understood", () => {
    expect(questionOf(questionStarter)).to.deep.include({ kind: "single", level: "recall", place: "page" });
  });
});
