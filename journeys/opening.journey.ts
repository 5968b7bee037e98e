import { openingCookie } from "@colloquy/schemas/pages/opening-cookie.ts";
import { expect } from "chai";
import type { Browser } from "playwright-core";
import { eventually, openBrowser, openVisitor } from "./browser.ts";
import { type SharedProgram, sharedProgram } from "./shared-program.ts";

describe("the workspace before its script runs", () => {
  let program: SharedProgram;
  let browser: Browser;
  before(async () => {
    program = await sharedProgram();
    browser = await openBrowser();
  });
  after(async () => {
    await browser?.close();
    await program?.stop();
  });

  for (const device of [{}, { height: 560 }, { width: 900 }, { locale: "ar" }])
    it(`stands where the workspace then says the same: ${JSON.stringify(device)}`, async () => {
      const before = await openVisitor(browser, { ...device, scripts: false });
      await program.signIn(before.page, "/ai");
      const { page } = await openVisitor(browser, device);
      await program.signIn(page, "/ai");
      const said = page.locator("colloquy-welcome");
      for (const part of ["h2", "p"]) {
        const earlier = before.page.locator(`colloquy-shell > .opening ${part}`);
        const later = said.locator(part).first();
        expect(await earlier.textContent()).to.equal(await later.textContent());
        await eventually(async () => {
          const [one, other] = [await earlier.boundingBox(), await later.boundingBox()];
          for (const side of ["x", "y", "width", "height"] as const)
            expect(one?.[side], `${part}: ${side}`).to.be.closeTo(other?.[side] ?? Number.NaN, 1);
        });
      }
      await page.locator("colloquy-shell > .opening").waitFor({ state: "detached" });
      const needed = await before.page.locator(".no-script").boundingBox();
      expect((needed?.y ?? Number.NaN) + (needed?.height ?? 0), "what asking needs, in sight").to.be.below(device.height ?? 860);
      await Promise.all([before.context.close(), page.context().close()]);
    });

  it("is left out if the workspace opens otherwise", async () => {
    const { page, complaints } = await openVisitor(browser);
    await program.signIn(page, "/ai");
    const sent = async (): Promise<boolean> => (await (await page.request.get(`${program.url}/ai`)).text()).includes('class="opening"');
    expect(await sent()).to.equal(true);
    await page.getByRole("button", { name: "Hide conversations" }).click();
    await eventually(async () => expect(await sent()).to.equal(false));
    await page.reload();
    await page.getByRole("button", { name: "Show conversations" }).click();
    await eventually(async () => expect(await sent()).to.equal(true));
    await page.getByRole("button", { name: "Tutor", exact: true }).click();
    await eventually(async () => expect(await sent(), "with the tutor").to.equal(false));
    const said = (await page.context().cookies(`${program.url}/ai`)).find(({ name }) => name === openingCookie);
    expect(said?.expires, "as long as the draft that is kept").to.be.above(Date.now() / 1_000);
    await page.getByRole("button", { name: "Ask", exact: true }).click();
    await eventually(async () => expect(await sent(), "without it").to.equal(true));
    expect(complaints).to.deep.equal([]);
  });
});
