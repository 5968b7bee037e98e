import { expect } from "chai";
import { withSmallStyles } from "./small-styles.ts";

describe("minified styles", () => {
  it("change nothing else of the script", async () => {
    const script = "const a = css`\n  /* why */\n  .a  > b { color: red;  inset: 0 auto; }\n`;\nconst b = html`<p>  two  spaces </p>`;";
    expect(await withSmallStyles(script)).to.equal("const a = css`.a>b{color:red;inset:0 auto}`;\nconst b = html`<p>  two  spaces </p>`;");
  });

  it("keep strings, calculations, new colours and nested rules", async () => {
    const kept = [
      ".a{inline-size:calc(100% - 2 * var(--s3))}",
      '.a:before{content:"a  b"}',
      ".a{color:light-dark(#fff,oklch(20% .02 265 / .38))}",
      ".a{&:hover{color:red}}",
      ":host([data-x]) ::slotted(p){--empty: ;--list:a, b}",
      "@container side (width < 30rem){.a{display:none}}",
    ];
    for (const text of kept) expect(await withSmallStyles(`css\`${text}\``)).to.equal(`css\`${text}\``);
  });

  it("leave composed templates alone", async () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the text of a script
    const script = "css`\n  ${host} dialog { color: red; }\n`";
    expect(await withSmallStyles(script)).to.equal(script);
  });

  it("equal those of a file", async () => {
    const made = await withSmallStyles('css`.a::before { content: "\u{e000}"; }`');
    const css = (strings: TemplateStringsArray) => strings.join("");
    const read = new Function("css", `return ${made}`)(css) as string;
    expect(read)
      .to.contain("content:")
      .and.match(/\u{e000}|\\e000/u);
  });
});
