import { shippedModel, shippedModelKey } from "@colloquy/infra/embeddings/shipped-model.ts";
import { shippedVectors } from "@colloquy/projections/passages/vectors/shipped-vectors.ts";
import { extended } from "@colloquy/projections/passages/vectors/vector-set.ts";
import { expect } from "chai";
import { demonstrationTexts } from "./demonstration-vectors.ts";

describe("the shipped vectors", () => {
  it("cover the demonstration courses (else: npm run embeddings:demonstration)", async () => {
    const set = await shippedVectors(shippedModelKey);
    const texts = await demonstrationTexts();
    expect([...texts.keys()].filter((digest) => !set?.vectors.has(digest))).to.deep.equal([]);
    expect(set?.vectors.size).to.equal(texts.size);
  });

  it("are those that the shipped model makes", async () => {
    const set = await shippedVectors(shippedModelKey);
    const [digest = "", text = ""] = [...(await demonstrationTexts())][7] ?? [];
    const model = shippedModel();
    const made = extended(null, [digest], await model.embed([text], { purpose: "passage" }));
    await model.close();
    const [own, shipped] = [made.vectors.get(digest), set?.vectors.get(digest)];
    expect(own?.codes.every((code, at) => Math.abs(code - (shipped?.codes[at] ?? 999)) <= 2)).to.equal(true);
  });
});
