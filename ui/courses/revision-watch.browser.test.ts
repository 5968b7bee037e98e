import { expect } from "chai";
import { watchRevision } from "./revision-watch.ts";

describe("watchRevision", function () {
  this.timeout(120_000);
  let ended: AbortController;
  beforeEach(() => {
    ended = new AbortController();
  });
  afterEach(() => ended.abort());

  /** A service that publishes by hand, and what it was asked. */
  function service() {
    const state = { live: 1, asked: [] as (string | null)[] };
    const open: typeof fetch = async (_input, init) => {
      const tag = new Headers(init?.headers).get("if-none-match");
      state.asked.push(tag);
      const etag = `"${state.live}"`;
      return tag === etag ? new Response(null, { status: 304 }) : Response.json({ sequence: state.live }, { headers: { etag } });
    };
    return { state, open };
  }
  const until = async (holds: () => boolean): Promise<void> => {
    while (!holds()) await new Promise((resolve) => setTimeout(resolve, 20));
  };

  it("sends one conditional request for all pages of a course", async () => {
    const { state, open } = service();
    const shown = [1, 1];
    const told: number[] = [];
    for (const index of [0, 1])
      watchRevision({
        path: "/courses/watched-course/x",
        open,
        signal: ended.signal,
        isVisible: () => true,
        shown: () => shown[index] ?? 0,
        onChange(live) {
          told.push(index);
          shown[index] = live;
        },
      });
    await until(() => state.asked.length >= 2);
    expect(state.asked.slice(0, 2)).to.deep.equal([null, '"1"']);
    expect(told).to.deep.equal([]);
    state.live = 2;
    await until(() => told.length >= 2);
    expect(told).to.deep.equal([0, 1]);
    const asked = state.asked.length;
    await until(() => state.asked.length > asked);
    expect(state.asked.at(-1)).to.equal('"2"');
    expect(told).to.have.length(2);
  });

  it("skips hidden pages and retries after a failure", async () => {
    const { state, open } = service();
    let visible = false;
    let looked = 0;
    let shown = 1;
    let tries = 0;
    watchRevision({
      path: "/courses/hidden-course",
      open,
      signal: ended.signal,
      shown: () => shown,
      isVisible() {
        looked += 1;
        return visible;
      },
      onChange(live) {
        tries += 1;
        if (tries === 1) throw new Error("nobody answers");
        shown = live;
      },
    });
    state.live = 5;
    await until(() => looked >= 2);
    expect(state.asked).to.deep.equal([]);
    visible = true;
    await until(() => shown === 5);
    expect(tries).to.equal(2);
  });

  it("ignores an earlier revision", async () => {
    const { state, open } = service();
    let told = 0;
    watchRevision({
      path: "/courses/older-course",
      open,
      signal: ended.signal,
      isVisible: () => true,
      shown: () => 9,
      onChange: () => (told += 1),
    });
    await until(() => state.asked.length >= 2);
    expect(told).to.equal(0);
  });
});
