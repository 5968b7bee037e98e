import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { Tokenizer } from "@huggingface/tokenizers";
import { expect } from "chai";
import { EmbeddingsUnavailable } from "./embedder.ts";
import { shippedModel } from "./shipped-model.ts";

const folder = new URL("model/", import.meta.url);
const cosine = (a: Float32Array | undefined, b: Float32Array | undefined): number =>
  (a ?? new Float32Array()).reduce((sum, value, at) => sum + value * (b?.[at] ?? 0), 0);

describe("the shipped embedding model", () => {
  const model = shippedModel();
  after(() => model.close());
  const embed = (...texts: string[]) => model.embed(texts, { purpose: "passage" });

  it("is the file that its record names", () => {
    const record = readFileSync(new URL("README.md", folder), "utf8");
    for (const file of ["model.onnx", "tokenizer.json"])
      expect(record).to.include(
        createHash("sha256")
          .update(readFileSync(new URL(file, folder)))
          .digest("hex"),
      );
  });

  it("cuts texts into the word pieces that BERT's reference tokenizer gives", () => {
    const tokenizer = new Tokenizer(JSON.parse(readFileSync(new URL("tokenizer.json", folder), "utf8")), {});
    expect(tokenizer.encode("Hello world!").ids).to.deep.equal([101, 7592, 2088, 999, 102]);
    expect(tokenizer.encode("unaffable").ids).to.deep.equal([101, 14477, 20961, 3468, 102]);
  });

  it("gives unit vectors of 384 components, the same each time", async () => {
    const [one, again] = await embed("How do I get yesterday's file back?", "How do I get yesterday's file back?");
    expect(one?.length).to.equal(384);
    expect(cosine(one, one)).to.be.closeTo(1, 1e-4);
    expect(one).to.deep.equal(again);
    // As computed with ONNX Runtime alone.
    expect(one?.[0]).to.be.closeTo(0.05197, 0.002);
  });

  it("is near for equal meaning in other words", async () => {
    const [asked, near, far] = await embed(
      "I wrecked my file this morning, how do I get yesterday's back?",
      "To restore an earlier version of a file, check it out from the last commit.",
      "Photosynthesis turns light into chemical energy.",
    );
    expect(cosine(asked, near)).to.be.greaterThan(cosine(asked, far) + 0.2);
  });

  it("takes empty texts and texts longer than the model reads", async () => {
    const vectors = await embed("", "word ".repeat(5_000));
    for (const vector of vectors) expect(cosine(vector, vector)).to.be.closeTo(1, 1e-4);
  });

  it("embeds a question before the passages that wait", async () => {
    const order: string[] = [];
    const passages = Array.from({ length: 12 }, (_, at) => embed(`A passage ${at}. `.repeat(30)).then(() => order.push("passage")));
    const asked = model.embed(["a question"], { purpose: "question" }).then(() => order.push("question"));
    await Promise.all([...passages, asked]);
    expect(order.indexOf("question")).to.be.lessThan(6);
  });

  it("starts again after it was closed, and gives up when told to", async () => {
    await model.close();
    expect(await embed("again")).to.have.length(1);
    const error = await model
      .embed(["late"], { purpose: "question", signal: AbortSignal.abort(new Error("late")) })
      .catch((thrown) => thrown);
    expect(error).to.be.an("error").with.property("message", "late");
  });

  it("can be closed while it works, and fails what waits", async () => {
    await model.warmUp?.();
    const works = Array.from({ length: 3 }, () => embed("word ".repeat(5_000)).catch((thrown) => thrown));
    await model.close();
    for (const work of await Promise.all(works)) expect(work).to.be.instanceOf(EmbeddingsUnavailable);
  });
});
