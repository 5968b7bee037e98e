import { expect } from "chai";
import { answer } from "./answer.ts";
import { type Prompt, readPrompt } from "./prompt.ts";
import { understand } from "./question.ts";

const passages = [
  {
    id: "s1",
    title: "Passing output to another command",
    trail: ["The Shell", "Pipes"],
    text: "The vertical bar, |, between two commands is called a pipe. It tells the shell to use the output of the command on the left as the input of the one on the right. Nothing prevents us from chaining pipes.",
  },
  {
    id: "s2",
    title: "Capturing output",
    trail: ["The Shell", "Pipes"],
    text: "The sign > redirects output to a file, which is overwritten. In contrast, >> appends to the file, because nothing is lost then. To save the lines of a file sorted, redirect them:\n```bash\nsort -n lengths.txt > sorted.txt\n```",
  },
  {
    id: "s3",
    title: "Objectives",
    trail: ["The Shell", "Pipes", "Objectives"],
    text: "Explain what a pipe is.\nRedirect the output of a command.",
  },
  {
    id: "s4",
    title: "Wildcards",
    trail: ["The Shell", "Files"],
    text: "A wildcard stands for other characters. The wildcard * matches any number of them.",
  },
];
const ask = (question: string, history: Prompt["history"] = [], given: Prompt["passages"] = passages, whole = "") =>
  answer({ passages: given, history, question, whole });
/** Passages of one page, as Markdown. */
const page = (title: string, ...texts: (string | [kind: string, text: string])[]): Prompt["passages"] =>
  texts.map((text, index) => ({
    id: `s${index + 1}`,
    title,
    trail: ["Course", title],
    kind: typeof text === "string" ? "prose" : text[0],
    text: typeof text === "string" ? text : text[1],
    isMarkdown: true,
    ...(index > 0 && { follows: `s${index}` }),
  }));
const closest = /^This may not answer your question directly\. The closest I found in the course:\n\n/;

describe("the demonstration model's answer", () => {
  it("begins with the sentence that says it, with its marker", () => {
    expect(ask("What is a pipe?")).to.match(/^The vertical bar, `\|`, between two commands is called a pipe\. \[s1\]/);
  });

  it("begins with what a word means, not with an example of it", () => {
    const given = [
      {
        id: "s1",
        title: "Finding eigenvectors",
        trail: ["Maps"],
        text: "For the factor 3 solve the equation: the eigenvectors are the multiples of (1, 1). The eigenvectors of the matrix are easy to see.",
      },
      {
        id: "s2",
        title: "Directions that stay",
        trail: ["Maps"],
        text: "A non-zero vector is an **eigenvector** of a matrix when the matrix only stretches it:\n\n$$A v = v$$\n\nEvery multiple of an eigenvector is an eigenvector. Memories are made firm in sleep.",
        isMarkdown: true,
      },
      {
        id: "s3",
        title: "Memory",
        trail: ["Mind"],
        isMarkdown: true,
        text: "All of it passes through **working memory**, the little you hold in mind at once.",
      },
    ];
    expect(ask("What is an eigenvector?", [], given)).to.match(/^A non-zero vector is an \*\*eigenvector\*\*/);
    expect(ask("What is working memory?", [], given)).to.match(/^All of it passes through/);
  });

  it("follows the application's search where words alone do not tell", () => {
    const text = (thing: string) => `Recalling helps you remember ${thing}.`;
    const given = [
      { id: "s1", title: "Songs", trail: [], text: text("songs") },
      { id: "s2", title: "Names", trail: [], text: text("names"), foundAt: 0 },
    ];
    expect(ask("How do I remember by recalling?", [], given)).to.match(/^Recalling helps you remember names/);
  });

  it("gives what comes closest in one piece, from what was found first", () => {
    const styles = {
      id: "s1",
      title: "What about learning styles?",
      trail: [],
      text: "People have preferences. Matching teaching to them has not been found to help.",
      foundAt: 0,
    };
    const said = ask("Do learning styles exist?", [], [styles, { id: "s2", title: "Sleep", trail: [], text: "Sleep is a style of rest." }]);
    expect(said)
      .to.match(/^This may not answer your question directly./)
      .and.contain(`preferences. [s1] Matching teaching`);
    expect(said).to.not.contain("rest");
  });

  describe("about words that the course does not use", () => {
    const spacing = {
      id: "s1",
      title: "Why gaps help",
      trail: ["Learning"],
      text: "Three short sessions teach more than a long one.",
      foundAt: 0,
    };

    it("gives what the search found close in meaning, and says that it only comes closest", () => {
      expect(ask("Should I cram the night before?", [], [{ ...spacing, isClose: true }])).to.match(
        /^This may not answer your question directly. The closest I found in the course:\s+Three short sessions/,
      );
    });

    it("refuses if nothing that was found is close", () => {
      expect(ask("Should I cram the night before?", [], [spacing])).to.match(/do not answer this\.$/);
    });
  });

  it("keeps to the course that the search puts first, though another shares more words", () => {
    const given = [
      { id: "s1", title: "Repeating", trail: ["Learning"], text: "Repeat a thing after a gap.", foundAt: 0 },
      { id: "s2", title: "Powers", trail: ["Maps"], text: "A map that you repeat again and again: a long gap, a long time.", foundAt: 5 },
    ];
    const said = ask("After how long a gap should I repeat a thing?", [], given);
    expect(said).to.contain("[s1]").and.not.contain("[s2]");
  });

  it("keeps to the course that is close in meaning, though another shares its words in many passages", () => {
    const words = { title: "Space", trail: ["Maps"], text: "A space has a basis.", isMarkdown: true };
    const given = [
      { id: "s1", title: "Gaps", trail: ["Learning"], text: "Spacing is learning with gaps.", foundAt: 0, isClose: true },
      ...[1, 2, 3, 4, 5].map((foundAt) => ({ ...words, id: `s${foundAt + 1}`, foundAt })),
    ];
    expect(ask("How does spacing work?", [], given))
      .to.contain("[s1]")
      .and.not.contain("basis");
  });

  it("gives of what was found first what holds the words of the question", () => {
    const habits = { id: "s1", title: "Habits", trail: ["Learning"], text: "Plan your week.", foundAt: 0, isClose: true };
    const marking = {
      id: "s2",
      title: "Habits",
      trail: ["Learning"],
      text: "Highlighting feels like learning.",
      foundAt: 1,
      isClose: true,
    };
    const said = ask("Does highlighting beat recalling?", [], [habits, marking]);
    expect(said).to.match(closest).and.contain("[s2]").and.not.contain("[s1]");
  });

  it("begins with the definition although the question names the course", () => {
    const given = [
      ["Headers", "We are using an argument to override the default behaviour for R. Using factors in R is covered in a separate lesson."],
      ["Understanding factors", "Factors are used to represent categorical data."],
    ].map(([title = "", text = ""], index) => ({ id: `s${index + 1}`, title, trail: ["Programming with R", "Data"], text }));
    expect(ask("what is a factor in R", [], given)).to.match(/^Factors are used to represent categorical data\. \[s2\]/);
  });

  it("begins with the sentence that a definition leans on", () => {
    const given = page(
      "Mixing",
      "Practice is usually blocked: twenty exercises on one method, then twenty on the next. **Interleaving** mixes them. Interleaving helps most when the kinds are easily confused.",
    );
    expect(ask("What is interleaving?", [], given)).to.match(/^Practice is usually blocked.+ \*\*Interleaving\*\* mixes them\./);
  });

  it("does not begin with a sentence in brackets", () => {
    const given = page(
      "Stages",
      "Add things to the staging area first. (The staging area may hold forgotten things, because you used `-a`!)",
    );
    expect(ask("Why does the staging area hold forgotten things?", [], given)).to.not.match(/^(?:This may.+\n\n)?\(/);
  });

  it("says that the question is in another language before what comes closest", () => {
    const given = [
      {
        id: "s1",
        title: "Matrix",
        trail: ["R"],
        text: "Elements of a matrix are found by the index in the brackets.",
        foundAt: 0,
        isClose: true,
      },
    ];
    expect(ask("Wie finde ich heraus, ob eine Matrix invertierbar ist?", [], given)).to.match(
      /^Sprache der Frage: Deutsch\..+\n\nVielleicht/,
    );
  });

  it("stays on the page that was quoted for what avoids or prevents it", () => {
    const given = [
      ...page("Rereading", "Rereading a text feels like knowing it, because the words become familiar."),
      { id: "s9", title: "Ignoring", trail: ["Git", "Ignoring"], text: "We avoid adding files with `.gitignore`.", isMarkdown: true },
    ];
    const history: Prompt["history"] = [
      { role: "user", text: "Why does rereading feel like knowing?" },
      { role: "assistant", text: "Rereading a text feels like knowing it, because the words become familiar." },
    ];
    expect(ask("and how do I avoid that?", history, given))
      .to.contain("[s1]")
      .and.not.contain("[s9]");
  });

  it("finds what is restored for a question of how to undo it", () => {
    const given = page(
      "Changes",
      "A change is saved with a message.",
      "A change of a file is restored to the last saved one with `git restore`.",
    );
    expect(ask("How do I undo a change of a file?", [], given)).to.match(/^A change of a file is restored.+\[s2\]/);
  });

  it("gives the section whose heading names what is asked, with its formula", () => {
    const under = (id: string, title: string, text: string, kind = "prose") => ({
      id,
      title,
      trail: ["Maps", "Directions that stay"],
      kind,
      text,
      isMarkdown: true,
    });
    const given = [
      under("s1", "No real eigenvector", "Complex eigenvalues of a real matrix are the sign of a rotation hiding in it.", "callout"),
      under("s2", "Finding eigenvalues", "Such a number exists exactly when the determinant is zero.\n\n$$\n\\det(A - \\lambda I) = 0\n$$"),
    ];
    expect(ask("how do i find the eigenvalues of a matrix", [], given)).to.match(/^Such a number exists.+\[s2\][\s\S]+\\det/);
  });

  it("compares by the solution of an exercise that names both sides", () => {
    const prompt = readPrompt({
      messages: [
        {
          role: "system",
          content:
            '<page title="Remotes" trail="Git">\n<passage id="s1" kind="exercise">\n**Push vs. Commit**\n\nHow is "git push" different from "git commit"?\n</passage>\n<passage id="s2" kind="solution">\nWhen we push changes, we update a remote repository with what we changed. Commit only updates your local repository.\n</passage>\n</page>',
        },
        { role: "user", content: "What's the difference between git push and git commit?" },
      ],
    });
    expect(answer(prompt)).to.match(/^When we push changes.+\[s2\] Commit only updates/);
  });

  it("is the same every time", () => expect(ask("What is a pipe?")).to.equal(ask("What is a pipe?")));

  it("keeps a block of code whole, without a marker in it", () => {
    expect(ask("How do I redirect sorted lines to a file?"))
      .to.contain("```bash\nsort -n lengths.txt > sorted.txt\n```")
      .and.not.match(/```[^`]*\[s\d\][^`]*```/);
  });

  it("shows the code that stands right behind the sentence that announces it, not one like it", () => {
    const place = { title: "Removing duplicates", trail: ["Databases"], isMarkdown: true };
    const given = [
      { ...place, id: "s1", text: "Redundant output is eliminated by adding the `DISTINCT` keyword to the query:" },
      { ...place, id: "s2", text: "```sql\nSELECT DISTINCT quant FROM Survey;\n```", kind: "code", follows: "s1" },
      { ...place, id: "s3", text: "```sql\n-- redundant output eliminated by adding the keyword DISTINCT to a query\n```", kind: "code" },
    ];
    const text = ask("How is redundant output eliminated?", [], given);
    expect(text).to.match(/to the query \[s1\]\[s2\]:\s+```sql\nSELECT DISTINCT quant/);
    expect(text).to.not.contain("-- adding");
  });

  it("says even a few words that announce code when the code stands behind them", () => {
    const place = { title: "Starting out", trail: ["Git"], isMarkdown: true };
    const given = [
      { ...place, id: "s1", text: "A folder with a history is called a repository. To make a repository, run:" },
      { ...place, id: "s2", text: "```bash\n$ git init\n```", kind: "code", follows: "s1" },
      { ...place, id: "s3", text: "To record a change, first choose the files and then record them:" },
      { ...place, id: "s4", text: "```bash\n$ git add notes.txt\n$ git commit\n```", kind: "code", follows: "s3" },
    ];
    expect(ask("How do I make a repository?", [], given)).to.match(/run \[s1\]\[s2\]:\s+```bash\n\$ git init/);
    expect(ask("How do I record a change?", [], given)).to.match(/record them \[s3\]\[s4\]:\s+```bash\n\$ git add/);
  });

  it("says both sides of a comparison", () => {
    expect(ask("What is the difference between > and >>?")).to.contain("overwritten").and.contain("appends");
  });

  it("does not answer from objectives", () => expect(ask("What is a pipe?")).to.not.contain("[s3]"));

  it("says when the passages do not answer, and what is near", () => {
    expect(ask("What is photosynthesis?")).to.match(/do not answer this/);
    expect(ask("How do wildcards work in Oracle?")).to.match(/do not answer this[\s\S]*Wildcards \[s4\]/);
    expect(ask("What is a pipe?", [], [])).to.match(/No passage/);
  });

  it("lists only sections that have a word of what was asked about, not those that have a word of asking", () => {
    const styles = {
      id: "s5",
      title: "What about learning styles?",
      trail: ["How Learning Works", "Myths"],
      text: "What about learning styles? People like to see an example. It is worth it to explain what you learn.",
    };
    for (const question of [
      "What about eigenvectors?",
      "Can you explain what I need to know to understand eigenvectors?",
      "How do I learn what an eigenvector means?",
      "What should I learn first, and what is an example of learning it right?",
    ]) {
      const said = ask(question, [], [styles]);
      expect(said, question).to.match(/do not answer this\.$/);
    }
    expect(ask("Do learning styles decide marks?", [], [styles])).to.contain("What about learning styles? [s5]");
  });

  it("resolves what a question leans on", () => {
    const history: Prompt["history"] = [
      { role: "user", text: "What is a wildcard?" },
      { role: "assistant", text: "A wildcard stands for other characters." },
    ];
    expect(ask("And what does it match?", history)).to.contain("matches any number");
    expect(ask("tell me more", history)).to.contain("[s4]").and.not.contain("stands for other characters");
  });

  describe("with lists", () => {
    it("keeps lists apart that stand apart, numbers steps, and takes the sentence that introduces them", () => {
      const given = page(
        "Tea",
        "Tea needs two things:\n\n- tea leaves\n- hot tea water\n\nMaking tea has three steps.\n\n1. Boil the tea water.\n2. Pour it on the tea.\n3. Wait for the tea.",
        ["key-points", "- Tea is a drink.\n- Tea is hot."],
      );
      const text = ask("What are the steps of tea?", [], given);
      expect(text).to.contain("Making tea has three steps. [s1]\n\n1. Boil the tea water. [s1]\n2. Pour it on the tea. [s1]\n3. Wait");
      const lists = text.split("\n\n").filter((part) => /^[-*] /.test(part));
      expect(lists.map((part) => part[0])).to.deep.equal(["-", "*"].slice(0, lists.length));
      expect(text).to.not.match(/\n- .+\n\n- /);
    });

    it("writes an entry that stands alone as a sentence", () => {
      const given = page("Tea", ["key-points", "- A teapot is a pot for tea.\n- Coffee is made in machines."]);
      expect(ask("What is a teapot?", [], given)).to.match(/^A teapot is a pot for tea\. \[s1\]/);
    });

    it("does not begin with an entry that leans on the one before it", () => {
      const given = page("Eigenvalues", ["key-points", "- Eigenvalues solve the equation.\n- Their sum is the trace."]);
      expect(ask("What is the trace?", [], given)).to.match(/- Eigenvalues solve the equation\. \[s1\]\n- Their sum/);
    });
  });

  describe("to a question whose form tells what would answer it", () => {
    const determinants = page(
      "Determinants",
      "The determinant is the factor of area. The sum of the eigenvalues is the trace, and their product is the determinant. A matrix has two eigenvalues when it has two rows.",
      "Shears keep areas, so they do not change the determinant. A shear changes no determinant. A shear keeps two things.",
    );
    for (const [question, start] of [
      ["Do shears change the determinant?", "A shear changes no determinant"],
      ["Does a shear change areas?", "Shears keep areas"],
      ["Why do shears not change the determinant?", "Shears keep areas"],
      ["How many eigenvalues has a matrix?", "A matrix has two eigenvalues"],
      ["How many things does a shear keep?", "A shear keeps two things"],
    ] as const)
      it(`answers “${question}”`, () => expect(ask(question, [], determinants).startsWith(start)).to.equal(true));

    for (const question of [
      "Is the determinant of a sum the sum of the determinants?",
      "Why is the determinant the factor of area?",
      "How many areas has a determinant?",
    ])
      it(`says of “${question}” that nothing answers it directly`, () => expect(ask(question, [], determinants)).to.match(closest));

    it("takes for the way to do something no sentence that only stands under such a heading", () => {
      const given = page("Why repetition finds it", "Write the start as a sum of eigenvectors. The largest part wins in the end.");
      expect(ask("How do I find eigenvectors?", [], given)).to.match(closest);
      const told = page("Finding them", "Find the eigenvectors by solving the equation. It has a zero.");
      expect(ask("How do I find eigenvectors?", [], told)).to.match(/^Find the eigenvectors by solving/);
    });

    it("says how with the sentence and the code that go on from it", () => {
      const given = page("Going up", "There is a shortcut to move up one directory. It works as follows:\n\n```bash\n$ cd ..\n```");
      expect(ask("How do I move up one directory?", [], given)).to.match(
        /^There is a shortcut.+It works as follows \[s1\]:\n\n```bash\n\$ cd \.\./,
      );
    });

    it("takes “It is not …” together with what it speaks of", () => {
      const given = page("Products", "Matrix multiplication is associative. It is in general not commutative. Sums are.");
      expect(ask("Is matrix multiplication commutative?", [], given)).to.match(
        /^Matrix multiplication is associative\. \[s1\] It is in general/,
      );
    });

    it("says of a word that it only uses, not explains, that nothing says directly what it is", () => {
      expect(ask("What is Python?", [], page("Comments", "Comments in Python and R start with a sign."))).to.match(closest);
    });

    it("says when nothing compares the two, and then what each is", () => {
      const given = page("Drinks", "Tea is made of leaves. Many people like it.", "Coffee is made of beans. Machines make it.");
      const text = ask("What is the difference between tea and coffee?", [], given);
      expect(text).to.match(/^I found no passage that compares them directly\. What the course says of each:/);
      expect(text).to.contain("made of leaves").and.contain("made of beans");
      const compared = page("Drinks", "Tea is made of leaves; coffee is made of beans.");
      expect(ask("What is the difference between tea and coffee?", [], compared)).to.match(/^Tea is made of leaves/);
    });
  });

  it("gives a formula with its caption, whose label names no section", () => {
    const text = `<page title="Maps" trail="Course">
<passage id="s1">
## Area

A determinant is a factor of area.
</passage>
<passage id="s2" kind="math">
**det-2x2**

The determinant of a matrix.

\\[
ad - bc
\\]
</passage>
</page>`;
    const messages = [
      { role: "system" as const, content: text },
      { role: "user" as const, content: "What is the formula for the determinant of a matrix?" },
    ];
    const said = answer(readPrompt({ messages }));
    expect(said).to.match(/^The determinant of a matrix\. \[s2\]\n\n\\\[\nad - bc\n\\\]/);
    expect(said).to.not.contain("det-2x2");
  });

  it("shows code that is asked for with the sentence that announces it first", () => {
    const given = page("Loops", "A loop repeats commands. The loop ends after the last file. A loop over files looks so:", [
      "code",
      "```bash\n$ for file in *.txt\n```",
    ]);
    expect(ask("Show me a loop", [], given)).to.match(/^A loop over files looks so \[s1\]\[s2\]:\n\n```bash\n\$ for file/);
  });

  it("takes what a diagram is drawn from for no example", () => {
    const given = page("Maps", "A linear map keeps sums.", [
      "figure",
      "Diagram: A linear map does not mind the order.\n\n```mermaid\nv --> w\n```",
    ]);
    expect(ask("Give me an example of a linear map", [], given))
      .to.match(closest)
      .and.not.contain("mermaid");
  });

  it("gives the formula of a page for “Show me the formula”", () => {
    const given = page("Eigenvectors", "An arrow stays on its line. It is only stretched:\n\n$$A v = \\lambda v$$").map((one) => ({
      ...one,
      isAttached: true,
    }));
    expect(ask("Show me the formula", [], given)).to.equal("It is only stretched [s1]:\n\n$$A v = \\lambda v$$");
  });

  it("keeps to the attached page for a question that points at it", () => {
    const [own, other] = [page("Signs", "The sign is positive or negative."), page("Numbers", "A positive number is always positive.")];
    const given = [...own.map((one) => ({ ...one, isAttached: true, foundAt: 1 })), ...other.map((one) => ({ ...one, id: "s9" }))];
    expect(ask("Is it always positive?", [], given))
      .to.contain("[s1]")
      .and.not.contain("[s9]");
  });

  describe("asked for other words", () => {
    const given = [
      ...page("The determinant", "A determinant is $ad - bc$ of a matrix.", "A determinant is like a zoom: it says how areas grow."),
      { id: "s8", title: "Words", trail: ["Course", "Words"], text: "Similar maps are one map in other words.", isMarkdown: true },
    ];
    const history: Prompt["history"] = [
      { role: "user", text: "What is a determinant?" },
      { role: "assistant", text: "A determinant is $ad - bc$ of a matrix." },
    ];
    for (const question of ["Explain it simpler", "in other words", "Explain that more simply", "I still don't get it"])
      it(`stays on the topic: “${question}”`, () =>
        expect(ask(question, history, given)).to.match(
          /^I can only quote the course, not reword it\. Here is how it puts this elsewhere:\s+A determinant is like a zoom: it says how areas grow\. \[s2\]$/,
        ));

    it("says so if the course has none", () =>
      expect(ask("Explain it simpler", history, given.slice(0, 1))).to.match(/found no other words for this/));

    it("has nothing to reword if nothing was answered", () => {
      const refused: Prompt["history"] = [
        { role: "user", text: "What is photosynthesis?" },
        { role: "assistant", text: "The passages of the course that were found do not answer this." },
      ];
      expect(ask("Explain it simpler", refused, given)).to.match(/do not answer this\.$/);
    });
  });

  describe("says what is its own", () => {
    it("in the language of a German or Arabic question", () => {
      expect(ask("Was ist Photosynthese?")).to.match(/^Sprache der Frage: Deutsch\./);
      expect(ask("Was ist Photosynthese?", [], page("Licht", "Das Auge sieht Licht, weil es in die Pupille fällt."))).to.match(
        /^Die Textstellen, die im Kurs gefunden wurden, beantworten das nicht\./,
      );
      expect(ask("ما هو التمثيل الضوئي؟")).to.match(/^لغة السؤال: العربية/);
      expect(ask("Hallo!", [], [])).to.match(/^(?:Hello|Guten Tag)\./);
    });

    it("names the languages where a question is in another one than the course", () => {
      const german = page("Licht", "Das Auge sieht Licht, weil es in die Pupille fällt. Ohne Licht sieht man nichts.");
      expect(ask("What is a lens made of?", [], german)).to.match(/^Your question is in English, the course in German/);
      expect(ask("What is a lens made of?")).to.match(/^The passages of the course that were found do not answer this\./);
    });

    it("otherwise in the language of the interface", () => {
      const inGerman = "The learner's interface is in German (de): answer in that where a question does not tell its language.";
      expect(ask("photosynthesis?", [], passages, inGerman)).to.match(/^Die Textstellen/);
      expect(ask("thanks!", [], passages, inGerman)).to.match(/^Gern\./);
      expect(ask("Was ist ein Hund?", [], [], inGerman.replace("German (de)", "Arabic (ar)"))).to.match(/^Dazu wurde/);
    });
  });

  it("talks honestly about itself", () => {
    for (const said of ["Hello!", "What can you do?", "who are you?", "help"]) expect(ask(said)).to.contain("demonstration model");
    expect(ask("thanks!")).to.match(/welcome/);
    expect(ask("What can you do with a pipe?")).to.contain("[s1]");
  });

  it("stays quick and harmless for hostile prompts", () => {
    const long = {
      id: "s1",
      title: "x",
      trail: [],
      text: `${"a ".repeat(2_000)}${"`".repeat(3_000)}${"$".repeat(3_000)}${"[".repeat(3_000)}`,
    };
    expect(ask(`${"why ".repeat(2_000)}?`, [], [long])).to.be.a("string");
  });
});

describe("a question", () => {
  const kinds: [string, string][] = [
    ["What is a pipe?", "definition"],
    ["what does pwd do", "definition"],
    ["How do I count lines?", "howto"],
    ["Which command lists files?", "howto"],
    ["Why are pipes useful?", "why"],
    ["What is the difference between a and b?", "compare"],
    ["Show me an example of a loop", "example"],
    ["What are the kinds of paths?", "list"],
    ["Summarise this page", "summary"],
    ["Can you explain what a loop is?", "definition"],
    ["Could you show me an example of a loop?", "example"],
    ["Can a loop stop early?", "yes-no"],
    ["Is a path the same as a folder?", "compare"],
    ["How many paths are there?", "count"],
    ["What is the formula for area?", "formula"],
    ["What does the course say about “Wildcards”?", "section"],
  ];
  for (const [text, kind] of kinds) it(`of ${kind}: ${text}`, () => expect(understand(text).kind).to.equal(kind));

  it("knows both sides", () => {
    for (const text of ["Is a path the same as a loop?", "Are a path and a loop the same?"])
      expect(understand(text).sides, text).to.deep.equal([["path"], ["loop"]]);
    expect(understand("What is the difference between a path and a loop?").sides).to.deep.equal([["path"], ["loop"]]);
  });
  it("knows names", () => expect([...understand("What did Piaget say in 1950?").names]).to.deep.equal(["piaget", "1950"]));
});
