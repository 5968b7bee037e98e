import { expect } from "chai";
import { blockWarnings } from "./block-warnings.ts";

const lines = (source: string, type: "core.theory" | "core.code" = "core.theory") =>
  blockWarnings({ type, source }).map(({ line }) => line);

describe("block warnings", () => {
  it("warns about a placeholder description with its line", () => {
    expect(lines("One\n\n![Describe the picture](assets/a.png)\n\n![A tree](assets/b.png)")).to.deep.equal([3]);
    expect(lines("One\r\n\r\n- two\r\n\r\n  ![Describe the picture](assets/a.png)")).to.deep.equal([5]);
  });

  it("recognises placeholders in every language", () => {
    const source =
      "![A tree](a.png) ![Describe the picture](b.png) ![Beschreiben Sie das Bild](c.png) ![صف الصورة](d.png) ![Describe the picture](e.png)";
    const found = blockWarnings({ type: "core.theory", source });
    expect(found.map(({ words }) => words)).to.deep.equal([
      "Describe the picture",
      "Beschreiben Sie das Bild",
      "صف الصورة",
      "Describe the picture",
    ]);
    for (const { words, at } of found) expect(source.indexOf(words ?? "", at)).to.equal(at);
  });

  it("ignores code", () => {
    expect(lines("```\n![Describe the picture](assets/a.png)\n```")).to.deep.equal([]);
    expect(lines("![Describe the picture](assets/a.png)", "core.code")).to.deep.equal([]);
  });
});
