import { expect } from "chai";
import hljs from "highlight.js";
import { grammarOf, languageLabel, languageName } from "./languages.ts";
import { moreGrammars } from "./more-grammars.ts";
import { renderMarkdown } from "./server.ts";

describe("the languages of code", () => {
  it("are all that highlight.js has, by every name of theirs", () => {
    for (const id of hljs.listLanguages()) {
      if (id === "plaintext") continue;
      expect(grammarOf(id), id).to.be.a("string");
      for (const name of hljs.getLanguage(id)?.aliases ?? []) expect(grammarOf(name.toLowerCase()), `${id} ${name}`).to.be.a("string");
    }
    for (const id of Object.keys(moreGrammars)) expect(hljs.getLanguage(id), id).to.be.an("object");
  });

  it("are known by the names that authors use", () => {
    const named: Record<string, string> = {
      objectivec: "objective-c objc obj-c",
      cpp: "c++ cplusplus cuda",
      csharp: "c# c-sharp",
      fsharp: "f#",
      vbnet: "vb.net vb vba",
      shell: "console sh-session shell-session bash-session",
      json: "jsonc jsonl",
      go: "golang",
      python: "py3 python3 ipython3",
      dockerfile: "docker containerfile",
      protobuf: "proto proto3",
      latex: "tex bibtex",
      vim: "viml vimscript",
      yaml: "yml docker-compose",
      lisp: "elisp common-lisp",
      x86asm: "asm nasm",
      xml: "vue svelte htm",
    };
    for (const [grammar, names] of Object.entries(named))
      for (const name of names.split(" ")) expect(grammarOf(languageName(name)), name).to.equal(grammar);
  });

  it("have labels for readers", () => {
    expect(["c#", "rb", "objc", "ps1", "html", "text", "odd"].map(languageLabel)).to.deep.equal([
      "C#",
      "Ruby",
      "Objective-C",
      "PowerShell",
      "HTML",
      "Text",
      "odd",
    ]);
  });

  it("are coloured on pages that a server makes", () => {
    const samples: Record<string, string> = {
      "c#": "class A { int x = 1; }",
      ruby: "def a\n  1\nend",
      php: "<?php echo 1;",
      kotlin: "val x = 1",
      swift: "let x = 1",
      scala: "val x = 1",
      lua: "local x = 1",
      perl: "my $x = 1;",
      powershell: "Get-Item -Path x",
      matlab: "x = 1; % one",
      scss: "$a: 1px;",
      elixir: "def a, do: 1",
      cmake: "set(A 1)",
      erb: "<% x = 1 %>",
    };
    for (const [name, code] of Object.entries(samples))
      expect(renderMarkdown(`\`\`\`${name}\n${code}\n\`\`\``), name).to.contain('<span class="hljs-');
  });

  it("leave a word plain that is longer than a grammar can take, and colour the longest other", () => {
    const { highlight } = hljs;
    const given: string[] = [];
    // Node's one instance of the library, which the renderer calls.
    hljs.highlight = ((code: string, options: never) => {
      given.push(code);
      return highlight(code, options);
    }) as typeof highlight;
    try {
      const [tooLong, longest] = ["x".repeat(49_000), "a1".repeat(245)];
      for (const grammar of hljs.listLanguages()) {
        given.length = 0;
        const html = renderMarkdown([tooLong, longest].map((word) => `\`\`\`${grammar}\n${word}\n\`\`\``).join("\n\n"));
        expect(html).to.contain(tooLong);
        // A fence can name all of them but 1C, and plain text has no colours.
        const isColoured = grammarOf(languageName(grammar)) !== null;
        expect(given, grammar).to.deep.equal(isColoured ? [longest] : []);
      }
    } finally {
      hljs.highlight = highlight;
    }
  }).timeout(120_000);
});
