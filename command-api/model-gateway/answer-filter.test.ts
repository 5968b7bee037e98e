import { expect } from "chai";
import { answerFilter } from "./answer-filter.ts";

// [what it shows, what the model sent, what is meant for the learner]
const table: [string, string, string][] = [
  ["plain text", "A pipe joins two programs.", "A pipe joins two programs."],
  ["raw HTML is text", "Use <b>bold</b> and <script>alert(1)</script>.", "Use <b>bold</b> and <script>alert(1)</script>."],
  ["a comparison", "x < y and y <z, 1<2", "x < y and y <z, 1<2"],
  ["reasoning at the beginning", "<think>Hm, the learner wants…\n</think>\n\nA pipe.", "A pipe."],
  ["reasoning after white space", "\n <thinking>Hm</thinking>A pipe.", "A pipe."],
  ["reasoning that never ends", "<think>Hm, let me see", ""],
  ["a tag of that name later on is text", "The <think> tag.", "The <think> tag."],
  ["tokens of a chat template", "Yes.<|im_end|><|im_start|>assistant\nNo.", "Yes.\n\nNo."],
  ["a template's head at the beginning", "<|start_header_id|>assistant<|end_header_id|>\n\nYes.<|eot_id|>", "Yes."],
  ["a word that only begins like a role", "<|im_start|>userland is a word", "userland is a word"],
  ["tokens in full-width bars", "Yes.<｜tool▁calls▁begin｜>", "Yes."],
  ["a shell pipe is no token", "cat <|file", "cat <|file"],
  ["a tool call", 'Let me see.<tool_call>{"name":"search","arguments":{"q":"pipes"}}</tool_call> Done.', "Let me see. Done."],
  ["a tool call that was cut off", 'Let me see.<tool_call>\n{"name":"sea', "Let me see."],
  ["a tag that is only spoken of", "Write <tool_call> before it.", "Write <tool_call> before it."],
  ["reasoning of another name", "<thought>\nThe learner asks…\n</thought>\nA pipe.", "A pipe."],
  ["reasoning in brackets", "[THINK]Hm.[/THINK]A pipe.", "A pipe."],
  ["reasoning behind a template's head", "<|im_start|>assistant\n<think>\nHm.</think>\nA pipe.", "A pipe."],
  ["reasoning behind a call", "<tool_call>{}</tool_call>\n<think>Hm.</think>\nA pipe.", "A pipe."],
  ["the end of reasoning that begins like it", "Okay, so the learner asks about `</think>` and <think>.\n</think>\n\nA pipe.", "A pipe."],
  ["what begins like reasoning and is none", "Okay, let me show it: a pipe.", "Okay, let me show it: a pipe."],
  ["the end of reasoning at the very beginning", "</think>\n\nA pipe.", "A pipe."],
  ["the end of reasoning that was told", "I look for pipes.\n</think>\nA pipe.", "I look for pipes.\n\n\nA pipe."],
  ["the end of reasoning within its line", "I look for pipes.</think>A pipe.", "I look for pipes.\n\nA pipe."],
  ["the end of reasoning that is spoken of", 'It ends with </think> or "</think>".', 'It ends with </think> or "</think>".'],
  ["both tags further down", "So:\n<think>\nHm.\n</think>\nDone.", "So:\n<think>\nHm.\n</think>\nDone."],
  [
    "calls of DeepSeek",
    'Let me see.<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>search\n```json\n{"q":"pipes"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜> Done.<｜end▁of▁sentence｜>',
    "Let me see. Done.",
  ],
  ["calls of DeepSeek that were cut off", "Let me see.<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>sea", "Let me see."],
  [
    "calls of Kimi",
    'Let me see. <|tool_calls_section_begin|><|tool_call_begin|>functions.search:0<|tool_call_argument_begin|>{"q": "<pipes>"}<|tool_call_end|><|tool_calls_section_end|>Done.',
    "Let me see. Done.",
  ],
  ["a call of Llama", 'Let me see.<|python_tag|>search.call(q="x")<|eom_id|> Done.', "Let me see. Done."],
  ["calls of Mistral", 'See.[TOOL_CALLS] [{"name": "search", "arguments": {"q": "a ] \\" } b"}}] Done.', "See. Done."],
  ["calls of Mistral by name", '[TOOL_CALLS]search[CALL_ID]a1[ARGS]{"q": [1]}[TOOL_CALLS]look[ARGS]{}\nDone.', "Done."],
  ["calls of Mistral that were cut off", 'See.[TOOL_CALLS] [{"name": "sea', "See."],
  [
    "Mistral's mark that is spoken of",
    "Mistral writes [TOOL_CALLS] before it, [TOOL_CALLS](/a) or [TOOL_CALLS] [a](/b).",
    "Mistral writes [TOOL_CALLS] before it, [TOOL_CALLS](/a) or [TOOL_CALLS] [a](/b).",
  ],
  ["marks of sources", "A pipe [s1] joins [TOOLS] and [T", "A pipe [s1] joins [TOOLS] and [T"],
  [
    "channels",
    "<|channel|>analysis<|message|>We look.\n<b>Hm<|end|><|start|>assistant<|channel|>commentary to=functions.search <|constrain|>json<|message|>{}<|call|><|start|>assistant<|channel|>final<|message|>A pipe.<|return|>",
    "A pipe.",
  ],
  ["a channel that never ends", "<|channel|>analysis<|message|>We look", ""],
  [
    "a channel's token that is spoken of",
    "Behind <|channel|> stands its name, <|channel|>analysis and so on.",
    "Behind  stands its name, analysis and so on.",
  ],
  [
    "thinking in a code span",
    "Write `<think>` and `</think>`; `` a ` </think> `` too.",
    "Write `<think>` and `</think>`; `` a ` </think> `` too.",
  ],
  [
    "thinking in a fence",
    "So:\n\n```\n<think>\n</think>\n[TOOL_CALLS] [{}]\n```\n",
    "So:\n\n```\n<think>\n</think>\n[TOOL_CALLS] [{}]\n```\n",
  ],
  ["in a fence of a list", "1. So:\n2. ```\n   <|end|>\n   ```\n3. <|end|>x", "1. So:\n2. ```\n   <|end|>\n   ```\n3. x"],
  ["in an indented block", "So:\n\n    <|im_end|>\n\nDone.<|im_end|>", "So:\n\n    <|im_end|>\n\nDone."],
  ["inside a code span", "Write `<|im_end|>` or `<tool_call>x</tool_call>`.", "Write `<|im_end|>` or `<tool_call>x</tool_call>`."],
  ["inside a fence", "```xml\n<tool_call>{}</tool_call>\n```\n<|end|>.", "```xml\n<tool_call>{}</tool_call>\n```\n."],
  ["nothing", "", ""],
];

describe("answerFilter", () => {
  for (const [what, sent, expected] of table)
    it(`${what}, wherever chunks end`, () => {
      for (let size = 1; size <= Math.max(1, sent.length); size += 1) {
        const text = answerFilter();
        let got = "";
        for (let at = 0; at < sent.length; at += size) got += text.push(sent.slice(at, at + size));
        expect(got + text.end(), `chunks of ${size}`).to.equal(expected);
      }
    });

  it("gives the same text for every chunking of 3,000 streams", () => {
    const parts = [
      "<",
      ">",
      "|",
      "[",
      "]",
      "`",
      "```",
      "\n",
      "\n\n",
      "    ",
      " ",
      "- ",
      '"',
      "{",
      "}",
      "a",
      "Okay, so ",
      "Hmm",
      "The end.",
      "</",
      "<think>",
      "</think>",
      "<thought>",
      "</thought>",
      "[THINK]",
      "[/THINK]",
      "[TOOL_CALLS]",
      "[ARGS]",
      "search",
      "<tool_call>",
      "</tool_call>",
      "<|im_start|>",
      "assistant",
      "<|channel|>",
      "analysis",
      "final",
      "<|constrain|>",
      "<|message|>",
      "<|end|>",
      "<|start|>",
      "<|return|>",
      "<｜tool▁calls▁begin｜>",
      "<｜tool▁calls▁end｜>",
      "<|tool_calls_section_begin|>",
      "<|tool_calls_section_end|>",
      "<|python_tag|>",
      "<|eom_id|>",
    ];
    let seed = 11;
    const next = (most: number): number => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor((seed / 2_147_483_648) * most);
    };
    for (let stream = 0; stream < 3_000; stream += 1) {
      const sent = Array.from({ length: 1 + next(14) }, () => parts[next(parts.length)] ?? "").join("");
      const whole = answerFilter();
      const expected = whole.push(sent) + whole.end();
      const text = answerFilter();
      let got = "";
      for (let at = 0; at < sent.length; ) {
        const size = 1 + next(5);
        got += text.push(sent.slice(at, at + size));
        at += size;
      }
      expect(got + text.end(), JSON.stringify(sent)).to.equal(expected);
    }
  });

  it("emits an answer that begins like reasoning when it reaches the bound", () => {
    const text = answerFilter();
    const sent = `Okay, let me show it. ${"x ".repeat(2_000)}`;
    expect([text.push(sent.slice(0, 3_000)), text.push(sent.slice(3_000)), text.push("More."), text.end()]).to.deep.equal([
      "",
      sent,
      "More.",
      "",
    ]);
  });

  it("buffers dropped text only up to the longest end mark", () => {
    const text = answerFilter();
    expect(text.push(`Yes.<｜tool▁calls▁begin｜>${"x".repeat(50_000)}`)).to.equal("Yes.");
    expect(text.push("<｜tool▁calls▁end｜> No.")).to.equal(" No.");
  });

  it("does not delay other text", () => {
    const text = answerFilter();
    expect([text.push("A pipe"), text.push(" <"), text.push("i>joins</i>")]).to.deep.equal(["A pipe", " ", "<i>joins</i>"]);
  });

  it("emits an unclosed tag at the bound and buffers no more", () => {
    const text = answerFilter();
    const sent = `<tool_call>{${"x".repeat(5_000)}`;
    expect(text.push(sent)).to.equal(sent);
  });
});
