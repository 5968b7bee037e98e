import { answerTutor, tutorCard, tutorRested } from "../../../journeys/tutor-answers.ts";
import { auditorOf, learnerOf } from "../accounts.ts";
import { once, type Scene, type Stage } from "../scene.ts";

const goal = "Know which directions a map leaves alone";
const addresses = new Map<string, string>();

/** Begins tutoring, and remembers where. */
async function begin(stage: Stage, wish = goal): Promise<void> {
  const { page, msg } = stage;
  await stage.go("/ai");
  await choosesTutor(stage);
  await page.locator("input[name=course][value=linear-maps]").check();
  const field = page.getByRole("textbox", { name: msg("Your goal") });
  await field.fill(wish);
  await field.press("Enter");
}
async function choosesTutor({ page, msg }: Stage): Promise<void> {
  await page
    .getByRole("button", { name: msg("Tutor"), exact: true })
    .first()
    .click();
  await page.locator("colloquy-tutor-start label").first().waitFor();
}
const remember = (who: string, { page }: Stage): void => void addresses.set(who, new URL(page.url()).pathname + new URL(page.url()).search);
/** Opens the session that was made for an account. */
const open = (who: string) => async (stage: Stage) => {
  await stage.go(addresses.get(who) ?? "/ai");
  await tutorRested(stage.page);
};
const hasPath = ({ page }: Stage) => page.locator("colloquy-tutor-path li").count();
async function toFirstCheck(stage: Stage, wrongly = true): Promise<void> {
  for (let count = 0; count < 10 && !(await hasPath(stage)); count += 1) await answerTutor(stage.program, stage.page, wrongly);
  await stage.page.locator("colloquy-tutor-path [aria-current=step]").waitFor();
  await tutorCard(stage.page).waitFor();
}

/** A session of its own for each state, since each goes on from the one before. */
const session = (who: string, make: (stage: Stage) => Promise<void>) => ({
  account: learnerOf(who),
  prepare: once(async (stage: Stage) => {
    await make(stage);
    await stage.page.waitForURL(/conversation=/);
    remember(who, stage);
  }),
  show: open(who),
});
const probing = session("probing", async (stage) => {
  await begin(stage);
  await tutorCard(stage.page).waitFor();
});
const answered = session("answered", async (stage) => {
  await begin(stage);
  await tutorCard(stage.page).waitFor();
  await tutorCard(stage.page).locator(".ways .quiet").first().click();
  await tutorCard(stage.page).locator(".help").waitFor();
  await answerTutor(stage.program, stage.page, true);
});
/** One whose first step is taught; what it teaches comes to the review. */
export const taught = session("taught", async (stage) => {
  await begin(stage);
  await tutorCard(stage.page).waitFor();
  await toFirstCheck(stage);
  await answerTutor(stage.program, stage.page);
});
const lesson = session("lesson", async (stage) => {
  await begin(stage);
  await tutorCard(stage.page).waitFor();
  await toFirstCheck(stage);
});
async function adapted(stage: Stage): Promise<void> {
  await begin(stage);
  await tutorCard(stage.page).waitFor();
  await toFirstCheck(stage);
  await answerTutor(stage.program, stage.page, true);
}
const adapting = session("adapting", adapted);
/** One of an auditor's own, who is a learner, too. */
export const audited = { ...session("audited", adapted), account: auditorOf("nils") };
const paused = session("paused", async (stage) => {
  await begin(stage);
  await tutorCard(stage.page).waitFor();
  await toFirstCheck(stage);
  await stage.page.getByRole("button", { name: stage.msg("Pause") }).click();
  await stage.page.locator(".standing.paused").waitFor();
});
const completed = session("completed", async (stage) => {
  await begin(stage);
  await tutorCard(stage.page).waitFor();
  for (let count = 0; count < 60 && !(await stage.page.locator(".standing.done").count()); count += 1) {
    await stage.page.locator("colloquy-tutor-card, .standing.done").first().waitFor();
    if (!(await stage.page.locator(".standing.done").count())) await answerTutor(stage.program, stage.page);
  }
  await stage.page.locator(".standing.done").waitFor();
});
const scene = (state: string, { account, prepare, show }: ReturnType<typeof session>, then?: (stage: Stage) => Promise<void>): Scene => ({
  page: "tutor",
  state,
  as: account,
  window: true,
  prepare,
  async show(stage) {
    await show(stage);
    await then?.(stage);
  },
});
/** To where the lesson begins. */
const upwards = ({ page }: Stage) =>
  page
    .locator("colloquy-tutor-flow .taught")
    .last()
    .evaluate((element) => {
      for (let at: Element | null = element; at; at = at.parentElement)
        if (/auto|scroll/.test(getComputedStyle(at).overflowY) && at.scrollHeight > at.clientHeight) {
          at.scrollTop += element.getBoundingClientRect().top - at.getBoundingClientRect().top;
          return;
        }
    });

/** Tutoring, from the choice of a course to its end. */
export const tutorScenes: readonly Scene[] = [
  {
    page: "tutor",
    state: "choice of a course",
    as: learnerOf("tutorchoice"),
    window: true,
    async show(stage) {
      await stage.go("/ai");
      await choosesTutor(stage);
    },
  },
  scene("probing", probing),
  scene("answered wrongly, with a hint", answered),
  scene("plan and lesson", lesson, upwards),
  scene("check", lesson),
  scene("adapting", adapting),
  scene("paused", paused),
  scene("completed", completed),
  {
    page: "tutor",
    state: "refused: the course says nothing of it",
    as: learnerOf("tutorstrange"),
    window: true,
    async show(stage) {
      await begin(stage, "Bake sourdough bread with a crisp crust");
      await stage.page.locator(".standing.strange").waitFor();
    },
  },
  {
    ...scene("path and progress", taught, async ({ page, msg }) => {
      const button = page.getByRole("button", { name: msg("Progress") }).first();
      if ((await button.getAttribute("aria-expanded")) === null) await button.click();
    }),
  },
  {
    ...scene("ledger", taught, async (stage) => {
      const id = await stage.page.evaluate(async () => {
        const listed = (await (await fetch("/api/tutor/sessions?courseId=linear-maps")).json()) as { sessions: { sessionId: string }[] };
        return listed.sessions[0]?.sessionId;
      });
      await stage.go(`/ai?ledger=${id}`);
      await stage.page.locator("colloquy-ledger .check.good").waitFor();
    }),
  },
];
