import { describeOn, enginesToTest } from "@colloquy/infra/database/temporary.fixture.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import { conversationResponse, conversationsResponse } from "@colloquy/schemas/conversations/requests.ts";
import { expect } from "chai";
import { change, chat, mira, problem, type ServedReading, serveReading, started, tomas, turn } from "../served.fixture.ts";

for (const engine of await enginesToTest()) {
  describeOn(engine, `reading conversations over HTTP on ${engine.name}`, () => {
    let served: ServedReading;
    beforeEach(async () => {
      served = await serveReading(engine);
    });
    afterEach(() => served.close());

    it("lets a client read its own writes", async () => {
      const position = await served.push(mira, started("Pipes"), turn("turn-0001", "This."));
      const list = conversationsResponse.parse(await (await served.get(`/api/conversations?after=${position}`)).json());
      expect(list.conversations).to.have.lengthOf(1);
      const renamed = await served.push(mira, change("renamed", { title: "New" }));
      const { conversation } = conversationResponse.parse(await (await served.get(`/api/conversations/${chat}?after=${renamed}`)).json());
      expect(conversation).to.include({ title: "New", version: 2, position: renamed });
    });

    it("answers 504 if a read model is behind, but not without `after`", async () => {
      const before = await served.push(mira, started("Pipes"));
      await served.get(`/api/conversations?after=${before}`);
      await served.models.stopProjections();
      const position = await served.push(mira, change("renamed", { title: "New" }));
      expect(await problem(await served.ask(`/api/conversations?after=${position}`))).to.deep.equal({
        status: 504,
        code: "read_model_behind",
      });
      const { conversation } = conversationResponse.parse(await (await served.get(`/api/conversations/${chat}`)).json());
      expect(conversation.title).to.equal("Pipes");
    });

    it("hides conversations of other accounts", async () => {
      const position = await served.push(mira, started("Pipes"));
      expect(await problem(await served.get(`/api/conversations/${chat}?after=${position}`, tomas))).to.deep.equal({
        status: 404,
        code: "not_found",
      });
      expect((await (await served.get("/api/conversations", tomas)).json()) as object).to.deep.include({ conversations: [], cursor: null });
      expect((await (await served.get("/api/sync/pull", tomas)).json()) as object).to.deep.include({
        changes: [],
        cursor: "0",
        more: false,
      });
      for (const path of ["/api/conversations", `/api/conversations/${chat}`, "/api/sync/pull", "/api/sync/stream"])
        expect(await problem(await served.get(path, null))).to.deep.equal({ status: 401, code: "sign_in_required" });
    });

    it("limits searches per minute, but not lists", async () => {
      const position = await served.push(mira, started("Pipes"));
      const statuses: number[] = [];
      for (let asked = 0; asked <= bounds.conversations.searchesPerMinute; asked += 1)
        statuses.push((await served.get(`/api/conversations?q=pipes&after=${position}`)).status);
      expect(statuses.pop()).to.equal(429);
      expect(new Set(statuses)).to.deep.equal(new Set([200]));
      expect((await served.get("/api/conversations")).status).to.equal(200);
      expect((await served.get("/api/conversations?q=pipes", tomas)).status).to.equal(200);
    });

    it("rejects unknown query parameters", async () => {
      for (const query of ["state=gone", "limit=0", "limit=101", "cursor=x", "after=soon", "surprise=1", `q=${"x".repeat(201)}`])
        expect((await served.get(`/api/conversations?${query}`)).status, query).to.equal(400);
      for (const query of ["after=soon", "limit=501", "surprise=1"])
        expect((await served.get(`/api/sync/pull?${query}`)).status, query).to.equal(400);
      expect((await served.get("/api/conversations/..%2F..%2Fetc")).status).to.equal(404);
      expect((await served.get("/api/sync/stream", mira, { "last-event-id": "'; --" })).status).to.equal(400);
    });

    it("pages through the history by cursor", async () => {
      let position = "0";
      for (let index = 0; index < 5; index += 1) position = await served.push(mira, started(`Title ${index}`, `conversation-${index}`));
      const titles: string[] = [];
      let query = `limit=2&after=${position}`;
      for (let page = 0; page < 3; page += 1) {
        const { conversations: rows, cursor } = conversationsResponse.parse(await (await served.get(`/api/conversations?${query}`)).json());
        titles.push(...rows.map(({ title }) => title));
        query = `limit=2&cursor=${cursor}`;
        if (page === 2) expect(cursor).to.equal(null);
      }
      expect(titles).to.deep.equal(["Title 4", "Title 3", "Title 2", "Title 1", "Title 0"]);
    });
  });
}
