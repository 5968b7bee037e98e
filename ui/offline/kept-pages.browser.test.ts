import { bounds } from "@colloquy/schemas/bounds.ts";
import { keepForHeader } from "@colloquy/schemas/pages/offline.ts";
import { expect } from "chai";
import { deletePages, keepPage, keptPage, keptPaths } from "./kept-pages.ts";

/** A response as it comes from the network: with an address. */
function page(
  path: string,
  { owner = "acc_one", status = 200, text = '<!doctype html>\n<html lang="en"><body>Words</body></html>' } = {},
): Response {
  const headers: Record<string, string> = {
    "content-type": "text/html",
    date: "Sat, 21 Nov 2026 08:00:00 GMT",
    ...(owner && { [keepForHeader]: owner }),
  };
  return Object.defineProperty(new Response(text, { status, headers }), "url", { value: new URL(path, location.href).href });
}
const always = () => true;

describe("the pages kept to read offline", () => {
  afterEach(() => deletePages());

  it("keeps pages that name their reader, with the time", async () => {
    await keepPage(page("/courses/one?mark=x"), always);
    expect(await keptPaths()).to.deep.equal(["/courses/one"]);
    const kept = await (await keptPage("/courses/one"))?.text();
    expect(kept).to.contain('<html data-kept="2026-11-21T08:00:00.000Z" lang="en">').and.contain("Words");
  });

  it("keeps no other, failed or too large pages", async () => {
    await keepPage(page("/courses/one", { owner: "" }), always);
    await keepPage(page("/courses/two", { status: 503 }), always);
    await keepPage(page("/courses/three", { text: `<html ${"x".repeat(bounds.offline.pageBytes)}` }), always);
    expect(await keptPaths()).to.deep.equal([]);
  });

  it("never holds pages of two readers", async () => {
    await keepPage(page("/courses/one"), always);
    await keepPage(page("/courses/two", { owner: "nobody" }), always);
    expect(await keptPaths()).to.deep.equal(["/courses/two"]);
    await keepPage(page("/courses/three", { owner: "acc_two" }), always);
    expect(await keptPaths()).to.deep.equal(["/courses/three"]);
  });

  it("keeps no page that was loading during a deletion", async () => {
    await keepPage(page("/courses/one"), () => false);
    expect(await keptPaths()).to.deep.equal([]);
  });

  it("keeps the pages read last", async function () {
    this.timeout(120_000);
    const most = bounds.offline.pages;
    for (let number = 0; number < most + 3; number += 1) await keepPage(page(`/courses/p${number}`), always);
    await keepPage(page("/courses/p4"), always);
    const paths = await keptPaths();
    expect(paths).to.have.length(most);
    expect(paths[0]).to.equal("/courses/p4");
    expect(paths).not.to.include("/courses/p2");
    expect(paths).to.include("/courses/p3");
  });
});
