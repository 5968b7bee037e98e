import type { AuditRecord } from "@colloquy/schemas/audit.ts";
import { masteryParameters } from "@colloquy/schemas/tutor/mastery.ts";
import { expect } from "chai";
import { html } from "lit";
import { expectAccessible, loadTheme, mount, unmountAll, until } from "../workspace/testing/browser.ts";
import "./replay.ts";
import type { AuditReplay } from "./replay.ts";

const hash = "0".repeat(64);

/** A session of so many answers; every third is wrong. */
function recordOf(count: number, more: Partial<AuditRecord> = {}): AuditRecord {
  const at = "2026-11-20T10:00:00.000Z";
  const moments = Array.from({ length: count }, (_, index): AuditRecord["moments"][number] => ({
    ...{ event: index * 2, at, message: null, model: "p1/a-model" },
    entry: {
      ...{ schemaVersion: 1, index, entryId: `entry-${index}-0000`, at, kind: "check", objectiveIds: ["objective-1"], itemId: "item-0001" },
      ...{ correct: index % 3 !== 0, aided: false, gradedBy: "application", selection: "single", choices: 4, sourceIds: [] },
      ...{ courseRevisionId: "revision-1", masteryBefore: { "objective-1": 0.71 }, masteryAfter: { "objective-1": 0.89 } },
      ...{ phase: "checking", previousHash: hash, hash },
    },
  }));
  return {
    session: {
      ...{ sessionId: "session-0001", learner: "amber-heron-7kq2xdm", courseId: "course-01", courseTitle: "The Unix Shell" },
      ...{ courseRevisionId: "revision-1", phase: "checking", startedAt: at, updatedAt: at, entries: count },
      objectives: [{ objectiveId: "objective-1", title: "Sort and head", probability: 0.89 }],
    },
    moments,
    replay: { phase: "checking", paused: false, path: [] },
    verification: {
      entries: count,
      checkpoints: 1,
      keyIds: ["0123456789abcdef"],
      chain: "sound",
      tree: "sound",
      signatures: "sound",
      fault: null,
    },
    differences: [],
    ...more,
  };
}
const show = (record: AuditRecord) =>
  mount<AuditReplay>(html`<colloquy-audit-replay class="audit" .record=${record}></colloquy-audit-replay>`);

describe("the replay of a session", () => {
  before(async () => {
    await loadTheme();
    const sheet = Object.assign(document.createElement("link"), { rel: "stylesheet", href: "/ui/audit/audit.css" });
    document.head.append(sheet);
    await new Promise((resolve) => sheet.addEventListener("load", resolve, { once: true }));
  });
  afterEach(unmountAll);

  it("opens 2,000 entries within 300 ms, and draws only rows in sight", async () => {
    const record = recordOf(2_000);
    const began = performance.now();
    const replay = await show(record);
    replay.getBoundingClientRect();
    expect(performance.now() - began).to.be.below(300);
    expect(replay.querySelectorAll("tr[aria-rowindex]").length).to.be.within(20, 80);
  });

  it("goes along the timeline and says by which rule mastery moved", async () => {
    const replay = await show(recordOf(24));
    const slider = replay.querySelector<HTMLInputElement>("input[type=range]") ?? expect.fail("no slider");
    slider.value = "23";
    slider.dispatchEvent(new Event("input"));
    await until(() => replay.querySelector(".moment h2")?.textContent === "At event 46", "the last event");
    expect(slider.getAttribute("aria-valuetext")).to.equal("Event 46, 24 of 24: Check, Correct");
    const slip = masteryParameters.slip.toFixed(2);
    expect(replay.querySelector(".moment")?.textContent).to.include(`Bayesian update: prior 0.71, guess 0.25, slip ${slip}`);
  });

  it("is accessible, and marks what differs by words and in red", async () => {
    const fault = { line: 3, index: 2, code: "hash", message: "The entry was altered: its hash is another." };
    const replay = await show(
      recordOf(6, {
        verification: { ...recordOf(1).verification, chain: "fault", tree: "unknown", signatures: "unknown", fault },
        differences: [{ index: 2, of: "mastery", subject: "Sort and head, after this entry", live: "0.89", replay: "0.5" }],
      }),
    );
    expect(replay.querySelector("tr.differs")?.textContent).to.include("differs");
    expect(replay.querySelector(".differences")?.textContent).to.include("Entry 2, Sort and head, after this entry: live 0.89, replay 0.5");
    expect(replay.textContent).to.include("Line 3, entry 2: The entry was altered");
    await expectAccessible(replay);
  });
});
