import { describeOn, enginesToTest } from "@colloquy/infra/database/temporary.fixture.ts";
import { waitForPosition } from "@colloquy/projections/checkpoints/queries.ts";
import { annotatedResponse } from "@colloquy/schemas/sync/protocol.ts";
import { expect } from "chai";
import { change, mira, problem, type ServedReading, serveReading, tomas } from "../served.fixture.ts";

for (const engine of await enginesToTest()) {
  describeOn(engine, `whether anything is drawn on ${engine.name}`, () => {
    let served: ServedReading;
    beforeEach(async () => {
      served = await serveReading(engine);
    });
    afterEach(() => served.close());

    it("tells an account whether it has annotations, and 304 if unchanged", async () => {
      const asked = async (account: string | null = mira, headers: Record<string, string> = {}) =>
        served.get("/api/annotations", account, headers);
      const before = await asked();
      expect(annotatedResponse.parse(await before.json()).annotated).to.equal(false);
      const etag = before.headers.get("etag") ?? "";
      expect((await asked(mira, { "if-none-match": etag })).status).to.equal(304);
      const stroke = { strokeId: "stroke-0001", blockId: null, tool: "pen", colour: "ink", width: 4, points: [0, 0, 128] };
      const drawn = change("drawn", { courseId: "course-0001", topicId: "topic-0001", strokes: [stroke] }, "drawing-0001");
      const position = await served.push(mira, { ...drawn, domain: "annotation" });
      expect(await waitForPosition(served.models.database, "sync", position, 60_000)).to.equal(true);
      const after = await asked(mira, { "if-none-match": etag });
      expect([after.status, after.headers.get("cache-control")]).to.deep.equal([200, "private, no-cache"]);
      expect(annotatedResponse.parse(await after.json()).annotated).to.equal(true);
      expect(annotatedResponse.parse(await (await asked(tomas)).json()).annotated).to.equal(false);
      expect(await problem(await asked(null))).to.deep.equal({ status: 401, code: "sign_in_required" });
    });
  });
}
