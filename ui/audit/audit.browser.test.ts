import type { AuditRecord } from "@colloquy/schemas/audit/requests.ts";
import { masteryParameters } from "@colloquy/schemas/tutor/mastery.ts";
import { ruledOutHint } from "@colloquy/schemas/tutor/words.ts";
import { resetMouse, sendMouse } from "@web/test-runner-commands";
import { expect } from "chai";
import { html } from "lit";
import { setPageLanguage } from "../messages/load.ts";
import { expectAccessible, loadTheme, mount, unmountAll, until } from "../workspace/testing/browser.ts";
import "./audit.ts";
import type { AuditPage } from "./audit.ts";
import { rowHeight } from "./entries-table.ts";
import type { AuditReplay } from "./replay.ts";
import { hash, recordOf } from "./testing/record.ts";

/** A plan of two steps; a question, answered wrongly; then the first step is left for later. */
function answeredRecord(): AuditRecord {
  const whole = recordOf(4);
  const [opened, asked, answered, left] = whole.moments;
  if (!opened?.entry || !asked?.entry || !answered?.entry || !left?.entry) throw new Error("four moments expected");
  const at = opened.at;
  const { itemId: _item, correct: _correct, selection: _selection, choices: _choices, ...plain } = opened.entry;
  const step = (stepId: string, title: string, prerequisites: string[]) => ({
    stepId,
    title,
    prerequisites,
    objectiveIds: ["objective-1"],
    sourceIds: [],
  });
  const steps = [step("step-0001", "Pipes", []), step("step-0002", "Filters", ["step-0001"])];
  const opening: NonNullable<NonNullable<AuditRecord["moments"][number]["entry"]>["opening"]> = {
    sessionId: "session-0001",
    courseId: "course-01",
    parameters: masteryParameters,
    goal: hash,
    objectives: [{ objectiveId: "objective-1", title: "Sort and head" }],
  };
  const choices = [
    { choiceId: "choice-a", text: "`sort | head`" },
    { choiceId: "choice-b", text: "`head | sort`" },
  ];
  return {
    ...whole,
    moments: [
      { ...opened, entry: { ...plain, kind: "opened", opening } },
      {
        event: 2,
        at,
        model: "p1/a-model",
        entry: { ...plain, index: 1, kind: "plan", verified: true, steps },
        message: {
          kind: "question",
          messageId: "message-0001",
          at,
          receipt: null,
          itemId: "item-0001",
          itemKind: "check",
          choices,
          prompt: "Which shows the longest `files`?",
          selection: "single",
          objectiveIds: ["objective-1"],
          replaced: false,
        },
      },
      {
        ...answered,
        entry: { ...answered.entry, correct: false },
        message: {
          kind: "answer",
          messageId: "message-0002",
          at,
          receipt: 2,
          itemId: "item-0001",
          choiceIds: ["choice-b"],
          text: null,
          correct: false,
          aided: false,
          gradedBy: "application",
          criteria: [],
          right: ["choice-a"],
          modelAnswer: "",
          explanation: "Sort first.",
          citations: [],
          disputed: false,
          disputable: false,
        },
      },
      { ...left, entry: { ...plain, index: 3, kind: "adapt", decision: "advance", reason: "left_for_later", stepId: "step-0001" } },
    ],
  };
}
const show = (record: AuditRecord) =>
  mount<AuditReplay>(html`<colloquy-audit-replay class="audit" .record=${record}></colloquy-audit-replay>`);

describe("the replay of a session", () => {
  before(loadTheme);
  afterEach(unmountAll);

  it("renders only visible rows", async () => {
    const replay = await show(recordOf(2_000));
    expect(replay.querySelectorAll("tr[aria-rowindex]").length).to.be.within(20, 80);
  });

  it("aligns left-to-right values with their column on a right-to-left page", async () => {
    const replay = await show(recordOf(3));
    document.documentElement.dir = "rtl";
    const sides = [...replay.querySelectorAll("tbody :is(.about, .hash)")].map((cell) => getComputedStyle(cell).textAlign);
    document.documentElement.dir = "ltr";
    expect(new Set(sides)).to.deep.equal(new Set(["right"]));
  });

  it("names rows without a ledger entry and keeps the row height", async () => {
    const whole = answeredRecord();
    const long = "Explain what usually happens if a program or pipeline is not given any input to process, and how it is ended again.";
    const objectives = whole.session.objectives.map((one) => ({ ...one, title: long }));
    const moments = whole.moments.map((moment, place) => (place === 1 ? { ...moment, entry: null } : moment));
    const replay = await show({ ...whole, session: { ...whole.session, objectives }, moments });
    const rows = [...replay.querySelectorAll<HTMLElement>("tr[aria-rowindex]")];
    expect(rows[1]?.querySelector("td")?.textContent).to.equal("no entry");
    const name = rows[2]?.querySelector<HTMLElement>(".about span");
    expect([name?.textContent, name?.title]).to.deep.equal([long, long]);
    for (const row of rows) expect(row.getBoundingClientRect().height).to.be.closeTo(rowHeight, 1);
    await expectAccessible(replay);
  });

  it("moves along the timeline and names the mastery rule", async () => {
    const replay = await show(recordOf(24));
    const slider = replay.querySelector<HTMLInputElement>("input[type=range]") ?? expect.fail("no slider");
    slider.value = "23";
    slider.dispatchEvent(new Event("input"));
    await until(() => replay.querySelector(".moment h2")?.textContent === "At event 23", "the last event");
    expect(slider.getAttribute("aria-valuetext")).to.equal("Event 23, 24 of 24: Check, Correct, unaided");
    const slip = masteryParameters.slip.toFixed(2);
    expect(replay.querySelector(".moment")?.textContent).to.include(`Bayesian update: prior 0.71, guess 0.40, slip ${slip}`);
  });

  it("marks exactly the events that came through an assistant", async () => {
    const record = recordOf(2);
    const [first] = record.moments;
    if (!first?.entry) throw new Error("a moment expected");
    first.entry.via = { kind: "connector", clientId: "https://robin.example/client.json" };
    const replay = await show(record);
    const [passedOn, own] = replay.querySelectorAll("tr[aria-rowindex]");
    expect(passedOn?.textContent).to.include("by an assistant");
    expect(own?.textContent).to.not.include("assistant");
    const slider = replay.querySelector<HTMLInputElement>("input[type=range]") ?? expect.fail("no slider");
    slider.value = "0";
    slider.dispatchEvent(new Event("input"));
    const moment = () => replay.querySelector(".moment")?.textContent ?? "";
    await until(() => moment().includes("At event 0"), "the first event");
    expect(moment()).to.include("Sent by").and.include("https://robin.example/client.json");
    await expectAccessible(replay);
    slider.value = "1";
    slider.dispatchEvent(new Event("input"));
    await until(() => moment().includes("At event 1"), "the second event");
    expect(moment()).to.not.include("Sent by");
  });

  it("marks exactly the answers to a video's closing question", async () => {
    const record = recordOf(2);
    const [first] = record.moments;
    if (!first?.entry) throw new Error("a moment expected");
    Object.assign(first.entry, { film: "job-00000001", aided: true });
    const replay = await show(record);
    const [ofFilm, own] = replay.querySelectorAll<HTMLElement>("tr[aria-rowindex]");
    expect(ofFilm?.textContent).to.include("Video question").and.include("aided");
    expect(own?.textContent).to.not.include("Video question");
    expect(ofFilm?.offsetHeight).to.equal(own?.offsetHeight);
    await expectAccessible(replay);
  });

  it("is accessible and marks differences by words and colour", async () => {
    const fault = { line: 3, index: 2, code: "hash", message: "The entry was altered: its hash is another." };
    const replay = await show(
      recordOf(6, {
        verification: { ...recordOf(1).verification, chain: "fault", tree: "unknown", signatures: "unknown", fault },
        differences: [{ index: 2, of: "mastery", subject: "Sort and head, after this entry", live: "0.89", replay: "0.5" }],
      }),
    );
    expect(replay.querySelector("tr.differs")?.textContent).to.include("differs");
    expect(replay.querySelector(".differences")?.textContent).to.include(
      "Entry 2, Sort and head, after this entry: recorded 0.89, replay 0.5",
    );
    expect(replay.textContent).to.include("Line 3, entry 2: The entry was altered");
    await expectAccessible(replay);
  });

  it("shows the question, the answer and the path at that moment", async () => {
    const replay = await show(answeredRecord());
    const slider = replay.querySelector<HTMLInputElement>("input[type=range]") ?? expect.fail("no slider");
    const go = async (to: number) => {
      slider.value = String(to);
      slider.dispatchEvent(new Event("input"));
      await replay.updateComplete;
    };
    const path = () => [...replay.querySelectorAll(".path li")].map((step) => step.textContent?.replace(/\s+/g, " ").trim());
    const choices = () => [...replay.querySelectorAll(".choices li")].map((choice) => choice.textContent?.replace(/\s+/g, " ").trim());
    expect(path()).to.deep.equal([]);
    await go(1);
    expect(path()).to.deep.equal(["Pipesnow", "Filtersahead, after step 1"]);
    expect(choices()).to.deep.equal(["sort | head", "head | sort"]);
    await go(2);
    expect(choices()).to.deep.equal(["sort | head right", "head | sort chosen"]);
    expect(replay.querySelector(".prompt code")?.textContent).to.equal("files");
    await go(3);
    expect(path()).to.deep.equal(["Pipesleft for later", "Filtersnow, after step 1"]);
    await expectAccessible(replay);
  });

  it("mirrors the timeline on a right-to-left page", async () => {
    const right = (path: SVGPathElement) => path.getBoundingClientRect().right;
    const left = (path: SVGPathElement) => path.getBoundingClientRect().left;
    for (const dir of ["ltr", "rtl"] as const) {
      const replay = await show(recordOf(5));
      replay.dir = dir;
      const track = replay.querySelector(".track")?.getBoundingClientRect() ?? expect.fail("no track");
      // Of five answers the first and the fourth are wrong: these ticks lie at the beginning and at three quarters.
      const wrong = replay.querySelector<SVGPathElement>(".tick.bad") ?? expect.fail("no ticks");
      const curve = replay.querySelector<SVGPathElement>("figure .curve") ?? expect.fail("no curve");
      const slider = replay.querySelector<HTMLInputElement>("input[type=range]") ?? expect.fail("no slider");
      slider.value = "3";
      slider.dispatchEvent(new Event("input"));
      await replay.updateComplete;
      const figure = curve.closest("svg")?.getBoundingClientRect() ?? expect.fail("no figure");
      const inner = track.width - 16;
      const first = dir === "rtl" ? track.right - 8 : track.left + 8;
      const fourth = dir === "rtl" ? first - inner * 0.75 : first + inner * 0.75;
      expect(dir === "rtl" ? right(wrong) : left(wrong), `${dir}: the first`).to.be.closeTo(first, 3);
      expect(dir === "rtl" ? left(wrong) : right(wrong), `${dir}: the fourth`).to.be.closeTo(fourth, 3);
      slider.value = "0";
      await sendMouse({ type: "click", position: [Math.round(fourth), Math.round(track.top + track.height / 2)] });
      expect(slider.value, `${dir}: the thumb goes to the tick that is pressed`).to.equal("3");
      await resetMouse();
      const end = dir === "rtl" ? figure.right - figure.width * 0.75 : figure.left + figure.width * 0.75;
      expect(dir === "rtl" ? left(curve) : right(curve), `${dir}: the curve`).to.be.closeTo(end, 3);
      unmountAll();
    }
  });

  it("points from old to new mastery in Arabic too", async () => {
    try {
      await setPageLanguage("ar", "all");
      const replay = await show(recordOf(1));
      expect(replay.querySelector("tr[aria-rowindex]")?.textContent?.replace(/[^\d.←→]/g, "")).to.include("0.71←0.89");
    } finally {
      await setPageLanguage("en", "all");
    }
  });

  it("shows decisions and the application's hints in the reader's language", async () => {
    const record = answeredRecord();
    const [, , , left] = record.moments;
    if (!left) throw new Error("four moments expected");
    const common = { messageId: "message-0003", at: left.at, receipt: null };
    record.moments.push(
      {
        ...left,
        event: 5,
        entry: null,
        message: {
          ...common,
          kind: "decision",
          decision: "advance",
          reason: "left_for_later",
          stepId: "step-0001",
          text: "English from the service",
        },
      },
      {
        ...left,
        event: 6,
        entry: null,
        message: { ...common, kind: "hint", text: ruledOutHint("`head`"), itemId: "item-0001", level: 1 },
      },
    );
    try {
      await setPageLanguage("de", "all");
      const replay = await show(record);
      const slider = replay.querySelector<HTMLInputElement>("input[type=range]") ?? expect.fail("no slider");
      const shownAt = async (place: number) => {
        slider.value = String(place);
        slider.dispatchEvent(new Event("input"));
        await replay.updateComplete;
        await until(() => replay.querySelector(".shown")?.textContent?.trim(), "what was shown");
        return replay.querySelector(".shown")?.textContent ?? "";
      };
      expect(await shownAt(4))
        .to.match(/^„Pipes“/)
        .and.not.include("English");
      expect(await shownAt(5))
        .to.include("head")
        .and.not.include("This choice is wrong");
    } finally {
      await setPageLanguage("en", "all");
    }
  });
});

describe("the auditor's search", () => {
  before(loadTheme);
  const real = window.fetch;
  const address = location.href;
  afterEach(() => {
    window.fetch = real;
    history.replaceState(null, "", address);
    unmountAll();
  });
  /** The page over a server that answers so; keeps what it was asked. */
  async function page(answer: () => Response | Promise<Response>) {
    const asked: string[] = [];
    window.fetch = async (input) => {
      asked.push(String(input));
      return answer();
    };
    const element = await mount<AuditPage>(html`<colloquy-audit class="audit"></colloquy-audit>`);
    element.open = (href) => {
      element.address = new URL(href, location.href);
    };
    return { element, asked };
  }
  const sessions = (found: AuditRecord["session"][], cursor: string | null = null) =>
    Response.json({ schemaVersion: 1, sessions: found, cursor });
  const problem = (status: number, code: string, title: string) =>
    Response.json({ type: "about:blank", status, code, title }, { status, headers: { "content-type": "application/problem+json" } });

  it("lists matching sessions with their mastery, and loads more", async () => {
    const { session } = recordOf(3);
    const cursors = ["next-page", null];
    const { element, asked } = await page(() => sessions([session], cursors.shift()));
    await until(() => element.querySelector(".found a"), "a session");
    expect([...element.querySelectorAll(".found thead th")].map(({ textContent }) => textContent)).to.deep.equal([
      "Course",
      "Learner's pseudonym",
      "Phase",
      "Entries",
      "Mastery",
      "Last event (UTC)",
    ]);
    expect(element.querySelector(".found tbody tr")?.textContent).to.contain("Sort and head 0.89");
    expect(element.querySelector(".found time bdi")?.textContent).to.equal("2026-11-20 10:00");
    [...element.querySelectorAll("button")].find(({ textContent }) => textContent === "More sessions")?.click();
    await until(() => element.querySelectorAll(".found a").length === 2, "the next page");
    expect(asked[1]).to.contain("cursor=next-page");
    await expectAccessible(element);
  });

  it("searches by the form's values, and says when nothing matches", async () => {
    const { element, asked } = await page(() => sessions([]));
    await until(() => element.textContent?.includes("No sessions yet"), "the empty state");
    const course = element.querySelector<HTMLInputElement>("input[name=course]") ?? expect.fail("no field");
    course.value = " shell ";
    element.querySelector("form")?.requestSubmit();
    await until(() => asked.length === 2, "the search");
    expect(asked[1]).to.contain("course=shell");
    expect(element.address.searchParams.get("course")).to.equal("shell");
    await until(() => element.textContent?.includes("No sessions found"), "the state where no session fits");
    await expectAccessible(element);
  });

  it("interprets days as UTC, and says so", async () => {
    history.replaceState(null, "", "?from=2026-11-19&to=2026-11-20");
    const { element, asked } = await page(() => sessions([]));
    await until(() => asked.length === 1, "the search");
    const { searchParams } = new URL(asked[0] ?? "", location.href);
    expect(Object.fromEntries(searchParams)).to.deep.equal({ from: "2026-11-19T00:00:00.000Z", to: "2026-11-20T23:59:59.999Z" });
    for (const name of ["from", "to"]) expect(element.querySelector(`label:has([name=${name}])`)?.textContent, name).to.include("UTC");
  });

  it("shows the last search even if an earlier answer arrives later", async () => {
    const { session } = recordOf(3);
    const named = (courseTitle: string) => ({ ...session, courseTitle });
    const waiting: { path: string; answer: (response: Response) => void }[] = [];
    window.fetch = (input) => new Promise<Response>((answer) => waiting.push({ path: String(input), answer }));
    const element = await mount<AuditPage>(html`<colloquy-audit class="audit"></colloquy-audit>`);
    const answer = (place: number, response: Response) => waiting[place]?.answer(response);
    const goTo = (query: string) => {
      element.address = new URL(query, location.href);
    };
    const found = () => [...element.querySelectorAll(".found a")].map(({ textContent }) => textContent);
    const more = () => [...element.querySelectorAll("button")].find(({ textContent }) => textContent === "More sessions");
    await until(() => waiting.length === 1, "the first search");
    answer(0, sessions([named("All")], "page-2-of-all"));
    (await until(more, "the way to more")).click();
    goTo("?course=shell");
    await until(() => waiting.length === 3, "the second search");
    await element.updateComplete;
    expect(more(), "more of a list that is being replaced").to.equal(undefined);
    answer(2, sessions([named("Shell")], "page-2-of-shell"));
    await until(() => found().includes("Shell"), "the second list");
    answer(1, sessions([named("More of all")], "page-3-of-all"));
    // Answered behind the late page: once it is drawn, that one has been dealt with.
    (await until(more, "the way to more")).click();
    await until(() => waiting.length === 4, "the next page");
    expect(waiting[3]?.path).to.contain("cursor=page-2-of-shell").and.contain("course=shell");
    answer(3, sessions([named("More of shell")]));
    await until(() => found().length > 1, "both pages");
    expect(found()).to.deep.equal(["Shell", "More of shell"]);

    goTo("?course=slow");
    await until(() => waiting.length === 5, "the slow search");
    goTo("?session=session-0001");
    await until(() => waiting.length === 6, "the session");
    answer(5, Response.json({ schemaVersion: 1, record: recordOf(3) }));
    await until(() => element.querySelector("colloquy-audit-replay"), "the session");
    answer(4, sessions([named("Slow")]));
    goTo("?session=session-0001");
    await until(() => waiting.length === 7, "the session again");
    answer(6, Response.json({ schemaVersion: 1, record: recordOf(4) }));
    await until(() => element.querySelector("[aria-rowcount='5']"), "the session again");
    expect(found()).to.deep.equal([]);
  });

  it("says what failed and what to do", async () => {
    const { element } = await page(() => problem(404, "not_found", "There is no such session."));
    await until(() => element.querySelector("[role=alert]"), "the problem");
    expect(element.querySelector("[role=alert]")?.textContent).to.contain("There is no such session.");
    expect(element.querySelector("[role=alert] a")?.getAttribute("href")).to.equal("/audit");
    await expectAccessible(element);
  });

  it("explains a refusal in the page's language without a retry", async () => {
    await setPageLanguage("de", "all");
    const { element } = await page(() => problem(404, "not_found", "There is nothing here."));
    const said = await until(() => element.querySelector("[role=alert]"), "the problem");
    expect([said.querySelector("h2")?.textContent, said.querySelector("button")]).to.deep.equal(["Hier ist nichts.", null]);
    await setPageLanguage("en", "all");
  });

  it("links to sign-in when signed out, and retries when offline", async () => {
    history.replaceState(null, "", "/audit?session=session-0001&course=the+shell");
    const signedOut = await page(() => problem(401, "sign_in_required", "Sign in to continue."));
    await until(() => signedOut.element.querySelector("[role=alert] a"), "the way to sign in");
    expect(signedOut.element.querySelector("[role=alert] a")?.getAttribute("href")).to.equal(
      `/sign-in?return=${encodeURIComponent("/audit?session=session-0001&course=the+shell")}`,
    );
    history.replaceState(null, "", address);
    unmountAll();
    let gone = true;
    const { element } = await page(() => {
      if (gone) throw new TypeError("Failed to fetch");
      return sessions([recordOf(1).session]);
    });
    const again = await until(() => element.querySelector<HTMLButtonElement>("[role=alert] button"), "the way to try again");
    gone = false;
    again.click();
    await until(() => element.querySelector(".found a"), "the sessions");
  });
});
