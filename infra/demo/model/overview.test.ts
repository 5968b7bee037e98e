import { expect } from "chai";
import { answer } from "./answer.ts";
import { readPrompt } from "./prompt.ts";

const page = `<page title="Pipes" trail="The Shell" attached="yes">
<passage id="s1">
A **pipe** joins two programs. The output of one is the input of the next.
</passage>
<passage id="s2">
## Sorting

The command \`sort\` reads every line first:
</passage>
<passage id="s3" kind="code">
\`\`\`bash
$ sort lengths.txt
\`\`\`
</passage>
<passage id="s4" kind="key-points">
**Key points**

- \`|\` joins programs.
- \`sort\` sorts lines.
</passage>
</page>`;
const asked = (question: string, text = page) =>
  answer(
    readPrompt({
      messages: [
        { role: "system", content: text },
        { role: "user", content: question },
      ],
    }),
  );

describe("the demonstration model's overview of an attached page", () => {
  for (const question of ["Summarise this page", "What should I remember from this?", "I don't get it", "What are the main ideas?"])
    it(`answers “${question}” with its beginning and its key points`, () => {
      const text = asked(question);
      expect(text).to.contain("A **pipe** joins two programs. [s1]");
      expect(text).to.contain("- `|` joins programs. [s4]\n- `sort` sorts lines. [s4]");
    });

  it("answers about the selected passage", () => {
    const text = asked("I don't get it", page.replace('id="s3" kind="code"', 'id="s3" kind="code" selected="yes"'));
    expect(text).to.contain("$ sort lengths.txt").and.contain("reads every line first");
    expect(text).to.not.contain("joins programs. [s4]");
  });

  it("leaves a question that names something to the search", () => {
    expect(asked("What does sort do?")).to.contain("`sort`").and.not.contain("[s4]\n- ");
  });
});
