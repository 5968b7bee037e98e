import { expect } from "chai";
import { toLines } from "../markdown/lines.ts";
import { createPage } from "../markdown/page.ts";
import { inFolder, parsedBlocks, svg } from "../markdown/testing/folders.ts";
import { importMarkdownFolder } from "./importer.ts";
import { withoutOtherSyntax } from "./other-syntax.ts";
import { filesByName } from "./wiki-links.ts";

/** A text rewritten as a page of a folder with these files, and what was reported. */
function rewritten(text: string, { file = "page.md", files = {} }: { file?: string; files?: Record<string, string> } = {}) {
  const report: { what: string; done: string }[] = [];
  const page = createPage({
    file,
    report: report as never[],
    image: () => null,
    dialect: { headingId: (plain) => plain, math: "dollars", dashes: "none" },
  });
  const folder = {
    files: new Set([file, ...Object.keys(files)]),
    holds: (name: string) => name in files,
    text: (name: string) => files[name] ?? "",
    bytes: () => new Uint8Array(),
  };
  const lines = withoutOtherSyntax(toLines(text), page, folder, filesByName(folder));
  const markdown = lines
    .map((line) => line.text)
    .join("\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
  return { markdown, notes: report.map(({ what, done }) => `${what} → ${done}`) };
}

describe("what other tools add to Markdown", () => {
  const cases: [string, string, string][] = [
    ["highlighted words", "This is ==important== here.", "This is **important** here."],
    ["keys", "Press ++ctrl+alt+t++, then ++arrow-up++.", "Press `Ctrl+Alt+T`, then `Arrow Up`."],
    ["low and high signs", "H~2~O, x^2^ and the 4^th^", "H<sub>2</sub>O, x<sup>2</sup> and the 4<sup>th</sup>"],
    ["comments of Obsidian", "One %%private%% two.\n\n%%\nall of this\n%%\n\nThree.", "One two.\n\nThree."],
    ["names of paragraphs", "A paragraph. ^abc123", "A paragraph."],
    ["comments and breaks of MyST", "(here)=\n# Title\n\n% private\n\n+++\n\nText.", "(here)=\n# Title\n\nText."],
    ["a hint of GitBook", '{% hint style="danger" %}\nMind it.\n{% endhint %}', "::: warning\nMind it.\n:::"],
    ["a hint for instructors", '{% hint style="instructor" %}\nText.\n{% endhint %}', "::: instructor\nText.\n:::"],
    ["a callout for instructors", '{{< callout type="teacher-note" >}}\nText.\n{{< /callout >}}', "::: instructor\nText.\n:::"],
    ["tabs of GitBook", '{% tabs %}\n{% tab title="One" %}\nText.\n{% endtab %}\n{% endtabs %}', "**One**\n\nText."],
    ["titled code of GitBook", '{% code title="a.js" %}\n```js\nlet a;\n```\n{% endcode %}', '```js title="a.js"\nlet a;\n```'],
    ["references of GitBook", '{% page-ref page="set-up.md" %}', "[Set up](<set-up.md>)"],
    ["code of Jekyll", "{% highlight ruby %}\na == b == c\n{% endhighlight %}", "```ruby\na == b == c\n```"],
    ["links of Jekyll", "[Next]({% link _posts/next.md %})", "[Next](/_posts/next.md)"],
    ["a notice of Hugo", '{{% notice tip "Try it" %}}\nType.\n{{% /notice %}}', "::: tip Try it\nType.\n:::"],
    ["a folded part of Hugo", '{{< details "More" >}}\nText.\n{{< /details >}}', "::: details More\nText.\n:::"],
    ["a figure of Hugo", '{{< figure src="a.png" caption="A plot" >}}', "![A plot](<a.png>)"],
    ["references of Hugo", '[Next]({{< relref "next.md" >}})', "[Next](next.md)"],
    ["a video of Quarto", "{{< video https://e.org/v.mp4 >}}", "[e.org/v.mp4](<https://e.org/v.mp4>)"],
    ["options of cells", "```{r}\n#| label: fig-a\n#| warning: false\nx <- 1\n```", "```{r}\nx <- 1\n```"],
    ["signs that colour lines", "```js\n// highlight-next-line\nlet a;\n```", "```js\nlet a;\n```"],
  ];
  for (const [name, text, markdown] of cases)
    it(`are written as Markdown: ${name}`, () => {
      expect(rewritten(text).markdown).to.equal(markdown);
    });

  const unchanged = [
    "C++ and i++ and ++i, a == b and b == c, x=1==y",
    "`==code==` and `++a++` and `[[a]]` and `{% hint %}`",
    "```\n==a== [[b]]\n{% hint %}\n{{< video x >}}\n%% c %%\n```",
    "matrix[[1]] and [[2, 3], [4, 5]] and 100 % of 50 %",
    "~~gone~~ and a ~ b ~ c, 2^10 and [^1] and x^y",
    "```python\n#| not an option\n```",
    "Magic:\n\n%%timeit\n\nMeasures a cell.",
  ];
  for (const text of unchanged)
    it(`leaves alone what only looks like it: ${text.slice(0, 40).replaceAll("\n", " ")}`, () => {
      const { markdown, notes } = rewritten(text);
      expect(markdown).to.equal(text);
      expect(notes).to.deep.equal([]);
    });

  it("finds pages and pictures by their names from anywhere in the folder", () => {
    const files = { "deep/Sorting algorithms.md": "", "pictures/plot.png": "", "deep/other.md": "" };
    const text =
      "[[Sorting algorithms]] [[sorting algorithms#Merge sort|merge sort]] ![[plot.png|200]] ![[plot.png|A plot]] [[#Here]]\n\n| [[other\\|o]] |";
    expect(rewritten(text, { files }).markdown).to.equal(
      "[Sorting algorithms](/deep/Sorting%20algorithms.md) [merge sort](/deep/Sorting%20algorithms.md#merge-sort) ![](</pictures/plot.png>) ![A plot](</pictures/plot.png>) [Here](#here)\n\n| [o](/deep/other.md) |",
    );
  });

  it("keeps the words of a link that leads nowhere, and says so", () => {
    const { markdown, notes } = rewritten("See [[Not here|that]] and ![[gone.png]].");
    expect(markdown).to.equal("See that and .");
    expect(notes).to.deep.equal([
      "a link to [[Not here]], which is not in the folder → its text is kept without the link",
      "a link to [[gone.png]], which is not in the folder → left out",
    ]);
  });

  it("takes in the text of another file once and not for ever", () => {
    const files = { "_more.qmd": "More text.\n\n{{< include _more.qmd >}}" };
    const { markdown, notes } = rewritten("{{< include _more.qmd >}}", { file: "index.qmd", files });
    expect(markdown).to.equal("More text.\n\nMore text.\n\nMore text.");
    expect(notes).to.deep.equal(["text of another file, _more.qmd → left out"]);
  });

  it("leaves out cells that readers do not see, and tags without a meaning here, and says so", () => {
    const { markdown, notes } = rewritten(
      "```{r setup, include=FALSE}\nx\n```\n\n```{python}\n#| echo: false\ny\n```\n\n{{< lipsum 2 >}}\n\nText.",
    );
    expect(markdown).to.equal("Text.");
    expect(notes).to.deep.equal([
      "a code cell that is not shown to readers → left out; so is what it draws or prints",
      "a code cell that is not shown to readers → left out; so is what it draws or prints",
      "a tag of a template, {{< lipsum 2 >}} → left out",
    ]);
  });

  it("reads the text of a page of MDX and none of its program", () => {
    const text = `import Tabs from '@theme/Tabs';
import {
  A,
  B,
} from './parts';
export const a = 1;
export const Box = ({children}) => {
  return <div>{children}</div>;
};

{/* private */}

# Title

Press <Kbd>Enter</Kbd>{' '}now. <Rating of={{ stars: 5 }} />

<Tabs groupId="os">
  <TabItem value="linux" label="Linux">

    - one
      - two

    \`\`\`bash
    ls
    \`\`\`

  </TabItem>
  <TabItem value="mac" label="Mac">Inline.</TabItem>
</Tabs>

<Admonition
  type="tip"
  title="Try it"
>
  Now.
</Admonition>

<img src={require('./plot.png').default} alt="A plot" style={{width: 10}} className="wide" />`;
    const { markdown, notes } = rewritten(text, { file: "page.mdx" });
    expect(markdown).to.equal(`# Title

Press \`Enter\` now.

**Linux**

- one
  - two

\`\`\`bash
ls
\`\`\`

**Mac**

Inline.

::: tip Try it

Now.

:::

<img src="./plot.png" alt="A plot" class="wide" />`);
    expect(notes).to.deep.equal(["a component, <Rating> → left out, its text is kept"]);
  });

  it("reads a page of Markdown as MDX where it imports a component of its site", () => {
    const text = "import Box from '@site/src/Box';\n\n<Box />\n\nText.";
    expect(rewritten(text).markdown).to.equal("Text.");
    expect(rewritten("import this from that, as people say.").markdown).to.equal("import this from that, as people say.");
  });

  it("hides a component for instructors", () => {
    const text = '<Callout type="instructor">\nSecret.\n</Callout>';
    expect(rewritten(text, { file: "page.mdx" }).markdown).to.match(/^::: instructor\n+Secret\.\n+:::$/);
  });

  it("takes one pass, whatever the text", () => {
    for (const part of ["<A a={", "[[a|", "{% a ", "==a", "%%", "{{< ", "<A b='", "++a+", "`", "![[a#", "{/*", "<T {...", "import {"])
      for (const file of ["page.md", "page.mdx"]) rewritten(part.repeat(20_000), { file });
  });

  it("becomes callouts, figures and links of a course", async () => {
    const files = {
      "index.qmd":
        '# Statistics\n\n## Means {#sec-means}\n\n::: {.callout-tip collapse="true"}\n## Try it\nType.\n:::\n\nSee @sec-means and @fig-plot.\n\n![A plot](plot.svg){#fig-plot}\n',
      "more/note.mdx": "import A from 'a'\n\n# Note\n\nBack to [[index|the start]].\n",
      "plot.svg": svg,
    };
    await inFolder(files, async (folder) => {
      const { course } = await importMarkdownFolder(folder, { courseId: "some-course", previous: null });
      expect(course.topics.map(({ title }) => title)).to.deep.equal(["Statistics", "Note"]);
      const blocks = parsedBlocks(course).map(({ type, data }) => ({ type, data }));
      expect(blocks.map(({ type }) => type)).to.deep.equal(["core.theory", "core.callout", "core.theory", "core.figure", "core.theory"]);
      expect(blocks[1]?.data).to.deep.include({ kind: "tip", title: "Try it", folded: true });
      const text = course.topics.flatMap((topic) => topic.blocks.map(({ source }) => source)).join("\n");
      expect(text).to.match(/See \[Means\]\(topic:\S+#sec-means\) and \[A plot\]\(topic:\S+\)/);
      expect(text).to.match(/Back to \[the start\]\(topic:\S+\)/);
    });
  });
});
