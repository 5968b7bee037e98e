import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "chai";
import { readConfig } from "../config.ts";
import { EmbeddingsUnavailable } from "./embedder.ts";
import { openEmbeddings } from "./open.ts";
import { embeddingsService } from "./service.ts";

const key = "secret-key-of-the-service";

describe("an embeddings service", () => {
  let server: Server;
  let asked: { url: string | undefined; headers: IncomingHttpHeaders; body: { model: string; input: string[] } }[];
  let answer: (input: string[]) => { status?: number; headers?: Record<string, string>; body: unknown };
  const vectorsOf = (input: string[]) => ({ data: input.map((text, index) => ({ index, embedding: [text.length, 3, 0, 0, 0, 0, 0, 4] })) });
  beforeEach(async () => {
    asked = [];
    answer = (input) => ({ body: vectorsOf(input) });
    server = createServer(async (request, response) => {
      const body = JSON.parse((await Array.fromAsync(request)).join("")) as { model: string; input: string[] };
      asked.push({ url: request.url, headers: request.headers, body });
      const { status = 200, headers = {}, body: sent } = answer(body.input);
      response.writeHead(status, { "content-type": "application/json", ...headers });
      response.end(typeof sent === "string" ? sent : JSON.stringify(sent));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const service = () => embeddingsService({ url: url(), model: "multilingual", key });
  const embed = (texts: string[]) => service().embed(texts, { purpose: "passage" });
  const failure = async (texts = ["text"]): Promise<Error> =>
    embed(texts).then(
      () => new Error("no failure"),
      (error) => error,
    );

  it("is asked by OpenAI's protocol, with the credential", async () => {
    await embed(["one", "three"]);
    expect(asked).to.have.length(1);
    expect(asked[0]).to.deep.include({
      url: "/v1/embeddings",
      body: { model: "multilingual", input: ["one", "three"], encoding_format: "float" },
    });
    expect(asked[0]?.headers.authorization).to.equal(`Bearer ${key}`);
  });

  it("gives unit vectors in the order of the texts, whatever the order of the answer", async () => {
    answer = (input) => ({ body: { data: vectorsOf(input).data.reverse() } });
    const [one, two] = await embed(["", "123456789012"]);
    expect(one?.[7]).to.be.closeTo(4 / Math.hypot(1, 3, 4), 1e-6);
    expect(two?.[0]).to.be.closeTo(12 / 13, 1e-6);
  });

  it("is asked for at most 64 texts at once", async () => {
    expect(await embed(Array.from({ length: 130 }, (_, at) => `text ${at}`))).to.have.length(130);
    expect(asked.map(({ body }) => body.input.length)).to.deep.equal([64, 64, 2]);
  });

  for (const [name, given] of [
    ["an error", { status: 500, body: { error: `your key ${key} is wrong` } }],
    ["another number of vectors", { body: { data: [] } }],
    [
      "vectors of different lengths",
      {
        body: {
          data: [
            { index: 0, embedding: Array(8).fill(1) },
            { index: 1, embedding: Array(9).fill(1) },
          ],
        },
      },
    ],
    ["no JSON", { body: "<html>" }],
    ["a redirect", { status: 302, headers: { location: "http://127.0.0.1:1/" }, body: "" }],
    ["far too much", { body: `"${"x".repeat(9_000_000)}"` }],
  ] as const)
    it(`that answers with ${name} is unavailable, and its error does not name the credential`, async () => {
      answer = () => given;
      const error = await failure(["one", "two"]);
      expect(error).to.be.instanceOf(EmbeddingsUnavailable);
      expect(`${error.message} ${String(error.cause)}`).not.to.include(key);
    });

  it("that is not there is unavailable", async () => {
    const gone = embeddingsService({ url: "http://127.0.0.1:1/v1", model: "m", key });
    expect(await gone.embed(["text"], { purpose: "question" }).catch((error) => error)).to.be.instanceOf(EmbeddingsUnavailable);
  });

  it("stops at the caller's signal", async () => {
    const reason = new Error("late");
    const error = await service()
      .embed(["text"], { purpose: "question", signal: AbortSignal.abort(reason) })
      .catch((thrown) => thrown);
    expect(error).to.equal(reason);
  });

  it("has another key for another model or address", () => {
    const keys = [
      ["https://a.example/v1", "m"],
      ["https://b.example/v1", "m"],
      ["https://a.example/v1", "intfloat/multilingual-e5"],
    ].map(([address = "", model = ""]) => embeddingsService({ url: address, model, key }).key);
    expect(new Set(keys).size).to.equal(3);
    for (const one of keys) expect(one).to.match(/^[A-Za-z0-9._-]+$/);
  });

  it("is configured by three variables, and needs its model", () => {
    const settings = { EMBEDDINGS_URL: url(), EMBEDDINGS_MODEL: "multilingual", EMBEDDINGS_API_KEY: key };
    expect(openEmbeddings(readConfig(settings))?.embedder.key).to.equal(service().key);
    expect(() => readConfig({ EMBEDDINGS_URL: url() })).to.throw("EMBEDDINGS_MODEL: needed because EMBEDDINGS_URL is set");
    expect(() => readConfig({ EMBEDDINGS_API_KEY: key })).to.throw(/^(?!.*secret-key).*EMBEDDINGS_URL: needed/s);
    expect(openEmbeddings(readConfig({ SEARCH_BY_MEANING: "off" }))).to.equal(null);
    expect(openEmbeddings(readConfig({}))?.embedder.key).to.equal("all-minilm-l6-v2-int8");
  });

  it("can be asked for an earlier model at the same address, and for the shipped one", () => {
    const opened = openEmbeddings(readConfig({ EMBEDDINGS_URL: url(), EMBEDDINGS_MODEL: "new" }));
    const before = service();
    expect(opened?.earlier(before)?.name).to.equal("multilingual");
    expect(opened?.earlier({ key: "elsewhere-123", name: "multilingual" })).to.equal(null);
    expect(opened?.earlier({ key: "all-minilm-l6-v2-int8", name: "" })?.key).to.equal("all-minilm-l6-v2-int8");
  });
});
