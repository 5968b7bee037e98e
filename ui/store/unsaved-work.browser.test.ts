import { expect } from "chai";
import { keepDraft } from "../review/drafts.ts";
import { memoryTables } from "./account-store.ts";
import { countUnsavedWork, isNothingUnsaved } from "./unsaved-work.ts";

const asked = { blockId: "block-1", digest: "", question: { kind: "gap" as const, markdown: "[[1]] [[2]]", gaps: 2 } };
const draft = { references: [], model: null, savedAt: 0 };
const quiz = (answers: Record<string, string[]>, checked: string[] = []) => ({
  conversationId: "conversation-1",
  savedAt: 0,
  draft: { round: 0, answers, checked },
});

describe("unsaved work", () => {
  it("is counted by kind", async () => {
    const tables = memoryTables();
    const change = { changeId: "c", domain: "preferences", entityId: "workspace", type: "chosen", at: "", data: {} } as never;
    await tables.outbox.putAll([
      { key: "1", change },
      { key: "2", change, acknowledged: "7" },
    ]);
    await tables.drafts.putAll([
      { key: "conversation-1", ...draft, text: "Why?" },
      { key: "new-tab", ...draft, text: "And how?" },
    ]);
    await tables.workspace.putAll([
      { key: "chosen-conversation-2", value: { itemId: "i", choiceIds: ["a"], text: "" }, savedAt: 0 },
      { key: "film-edits-job-1", value: { storyboardId: "s", scenes: [] }, savedAt: 0 },
      { key: "chosen-conversation-3", value: { itemId: "i", choiceIds: [], text: "By hand" }, savedAt: 0 },
      { key: "asking-conversation-4", value: { text: "Why no file?" }, savedAt: 0 },
    ]);
    await tables.quizzes.put({ key: "quiz-1", ...quiz({ q: ["a"] }) });
    await keepDraft(tables.meta, asked, { texts: ["", "pipe"] });
    await tables.meta.put({ key: "set-aside", value: JSON.stringify([{ entry: "old", reason: "It could not be read." }]) });
    expect(await countUnsavedWork(tables)).to.deep.equal({
      changes: 1,
      drafts: 2,
      answers: 4,
      films: 1,
      quizzes: 1,
      courseDrafts: 0,
      setAside: 1,
    });
  });

  it("excludes chosen models, withdrawn choices and the layout", async () => {
    const tables = memoryTables();
    await tables.drafts.put({ key: "new-tab", ...draft, text: "  ", mode: "tutor" });
    await tables.workspace.putAll([
      { key: "layout-1", value: { text: "x" }, savedAt: 0 },
      { key: "chosen-conversation-2", value: { itemId: "i", choiceIds: [], text: " " }, savedAt: 0 },
      { key: "chosen-conversation-3", value: { itemId: "i", choiceIds: [], text: "", response: { text: " " } }, savedAt: 0 },
    ]);
    await keepDraft(tables.meta, asked, { texts: ["", " "] });
    await tables.quizzes.put({ key: "quiz-1", ...quiz({ q: [] }) });
    expect(isNothingUnsaved(await countUnsavedWork(tables))).to.equal(true);
  });
});
