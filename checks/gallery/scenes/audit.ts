import type { AuditRecordResponse } from "@colloquy/schemas/audit/requests.ts";
import { auditorOf } from "../accounts.ts";
import type { Scene, Stage } from "../scene.ts";
import { audited } from "./tutor.ts";

const refused = /Failed to load resource/;

/** Opens the session that is found first, at its last moment. */
async function replays({ go, page }: Stage): Promise<void> {
  await go("/audit");
  await page.locator(".found a").first().click();
  const slider = page.locator("input[type=range]").first();
  await slider.waitFor();
  await slider.press("End");
}
const scene = (state: string, show: Scene["show"], more: Partial<Scene> = {}): Scene => ({
  page: "audit",
  state,
  as: audited.account,
  prepare: audited.prepare,
  show,
  ...more,
});
const at = (path: string, wait: string) => async (stage: Stage) => {
  await stage.go(path);
  await stage.page.locator(wait).first().waitFor();
};

/** What an auditor sees: the search, and a session event by event. */
export const auditScenes: readonly Scene[] = [
  { page: "audit", state: "no session yet", as: auditorOf("early"), at: "bare", show: at("/audit", ".nothing") },
  scene("search", at("/audit", ".found a")),
  scene("search, none fits", at("/audit?course=nowhere&from=2026-01-01&to=2026-01-31", ".nothing")),
  scene("search, refused", at("/audit?learner=Mira", "[role=alert]"), { allows: refused }),
  scene("a session that is not there", at("/audit?session=session-of-nobody", "[role=alert]"), { allows: refused }),
  scene("a session replayed", replays),
  scene("a question replayed", async (stage) => {
    await replays(stage);
    const slider = stage.page.locator("input[type=range]").first();
    for (let step = 0; step < 40 && !(await stage.page.locator(".moment .choices").count()); step += 1) await slider.press("ArrowLeft");
  }),
  scene("a ledger at fault", async (stage) => {
    await stage.page.route("**/api/audit/sessions/*", async (route) => {
      const response = await route.fetch();
      const body = (await response.json()) as AuditRecordResponse;
      const { verification, differences } = body.record;
      Object.assign(verification, { chain: "fault", fault: { line: 4, index: 2, message: "The entry's hash is not that of its words." } });
      const mastery = {
        index: 2,
        of: "mastery" as const,
        subject: "the mastery of “State what an eigenvector is”",
        live: "0.72",
        replay: "0.31",
      };
      differences.push(mastery, { ...mastery, of: "phase", index: null, subject: "the phase of the session" });
      await route.fulfill({ response, json: body });
    });
    await replays(stage);
  }),
];
