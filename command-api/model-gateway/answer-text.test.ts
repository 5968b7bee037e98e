import { expect } from "chai";
import { answerText } from "./answer-text.ts";

// [what it shows, what the model sent, what is meant for the learner]
const table: [string, string, string][] = [
  ["plain text", "A pipe joins two programs.", "A pipe joins two programs."],
  ["raw HTML is text", "Use <b>bold</b> and <script>alert(1)</script>.", "Use <b>bold</b> and <script>alert(1)</script>."],
  ["a comparison", "x < y and y <z, 1<2", "x < y and y <z, 1<2"],
  ["reasoning at the beginning", "<think>Hm, the learner wants…\n</think>\n\nA pipe.", "A pipe."],
  ["reasoning after white space", "\n <thinking>Hm</thinking>A pipe.", "A pipe."],
  ["reasoning that never ends", "<think>Hm, let me see", ""],
  ["a tag of that name later on is text", "The <think> tag.", "The <think> tag."],
  ["tokens of a chat template", "Yes.<|im_end|><|im_start|>assistant\nNo.", "Yes.assistant\nNo."],
  ["tokens in full-width bars", "Yes.<｜tool▁calls▁begin｜>", "Yes."],
  ["a shell pipe is no token", "cat <|file", "cat <|file"],
  ["a tool call", 'Let me see.<tool_call>{"name":"search","arguments":{"q":"pipes"}}</tool_call> Done.', "Let me see. Done."],
  ["a tool call that was cut off", 'Let me see.<tool_call>\n{"name":"sea', "Let me see."],
  ["a tag that is only spoken of", "Write <tool_call> before it.", "Write <tool_call> before it."],
  ["inside a code span", "Write `<|im_end|>` or `<tool_call>x</tool_call>`.", "Write `<|im_end|>` or `<tool_call>x</tool_call>`."],
  ["inside a fence", "```xml\n<tool_call>{}</tool_call>\n```\n<|end|>.", "```xml\n<tool_call>{}</tool_call>\n```\n."],
  ["nothing", "", ""],
];

describe("the text of an answer", () => {
  for (const [what, sent, expected] of table)
    it(`${what}, wherever the chunks' borders fall`, () => {
      for (let size = 1; size <= Math.max(1, sent.length); size += 1) {
        const text = answerText();
        let got = "";
        for (let at = 0; at < sent.length; at += size) got += text.push(sent.slice(at, at + size));
        expect(got + text.end(), `chunks of ${size}`).to.equal(expected);
      }
    });

  it("holds nothing back that is no markup", () => {
    const text = answerText();
    expect([text.push("A pipe"), text.push(" <"), text.push("i>joins</i>")]).to.deep.equal(["A pipe", " ", "<i>joins</i>"]);
  });

  it("lets a tag that is never closed out after its bound, and holds no more than that", () => {
    const text = answerText();
    const sent = `<tool_call>{${"x".repeat(5_000)}`;
    expect(text.push(sent)).to.equal(sent);
  });
});
