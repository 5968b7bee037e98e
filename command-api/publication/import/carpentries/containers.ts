import type { Builder, ContainerRule } from "../markdown/builder.ts";
import { addCallout, anchorsOf, type CalloutStyle, calloutRule, labelledCallouts } from "../markdown/callouts.ts";
import type { Container, Node } from "../markdown/containers.ts";
import { draftBlock } from "../markdown/draft.ts";
import { readList } from "../markdown/lists.ts";
import { plainText } from "../markdown/plain-text.ts";
import { addQuestion } from "./challenge-question.ts";

/** The Workbench's containers that become callouts. */
const callouts: Record<string, CalloutStyle> = {
  ...labelledCallouts,
  callout: { kind: "note" },
  prereq: { kind: "prerequisite", plainTitle: /^prerequisites?$/i },
  prerequisite: { kind: "prerequisite", plainTitle: /^prerequisites?$/i },
  questions: { kind: "questions", plainTitle: /^questions?$/i },
  spoiler: { kind: "note", folded: true },
  testimonial: { kind: "testimonial" },
  discussion: { kind: "discussion", plainTitle: /^discussion$/i },
  checklist: { kind: "note", title: "Checklist" },
  solution: { kind: "note", folded: true, title: "Solution" },
  hint: { kind: "tip", folded: true, title: "Hint" },
};
const otherCallouts = calloutRule(callouts);

/** Titles of solutions that say nothing the page does not say anyway. */
const plainSolution = /^(?:show me the )?(?:solutions?|answers?)$/i;

/** What the Workbench's fenced divs become. */
export const carpentriesContainers: ContainerRule = (container, builder) => {
  switch (container.name) {
    case "objectives":
      addObjectives(container, builder);
      return true;
    case "keypoints":
      addKeyPoints(container, builder);
      return true;
    case "challenge":
    case "exercise":
      if (!addQuestion(container, builder)) addExercise(container, builder);
      return true;
    case "discussion":
    case "callout":
      if (!container.children.some(isAnswer)) break;
      addExercise(container, builder);
      return true;
  }
  return otherCallouts(container, builder);
};

const isAnswer = (node: Node): node is Container => node.kind === "container" && (node.name === "solution" || node.name === "hint");

/** List items go to the topic's objectives; whatever else stands there stays in the text. */
function addObjectives(container: Container, builder: Builder): void {
  const block = draftBlock("core.callout", { kind: "note", folded: false, markdown: "" });
  const { children } = builder.takeTitle(container, block);
  for (const child of children) {
    const { items, around } = child.kind === "lines" ? readList(child.lines) : { items: [], around: [] };
    for (const item of items) builder.objectives.push(plainText(builder.itemOf([{ kind: "lines", lines: item }], block)));
    if (around.length) builder.addNodes([{ kind: "lines", lines: around }]);
    if (child.kind === "container") builder.addNodes([child]);
  }
}

function addKeyPoints(container: Container, builder: Builder): void {
  const block = draftBlock("core.key-points", { points: [] });
  if (block.type !== "core.key-points") return;
  const { title, children } = builder.takeTitle(container, block);
  const points: string[] = [];
  for (const child of children) {
    const { items, around } = child.kind === "lines" ? readList(child.lines) : { items: [], around: [] };
    if (around.length) points.push(builder.itemOf([{ kind: "lines", lines: around }], block));
    for (const item of items) points.push(builder.itemOf([{ kind: "lines", lines: item }], block));
  }
  block.data = { ...(title && !/^key ?points?$/i.test(title) && { title }), points: points.filter(Boolean) };
  if (block.data.points.length) builder.addBlock(block, anchorsOf(container));
  else builder.page.note(container.line, "key points without a point", "left out");
  builder.addNodes(children.filter((child) => child.kind === "container"));
}

/** A challenge with its hints and solutions; text between and after solutions joins the task, in order. */
function addExercise(container: Container, builder: Builder): void {
  const block = draftBlock("core.exercise", { markdown: "", hints: [], solutions: [] });
  if (block.type !== "core.exercise") return;
  const { title, children } = builder.takeTitle(container, block);
  const hints: string[] = [];
  const solutions: { title?: string; markdown: string }[] = [];
  const task: Node[] = [];
  for (const child of children) {
    if (!isAnswer(child)) task.push(child);
    else {
      const answer = builder.takeTitle(child, block);
      const nested = answer.children.filter(isAnswer);
      const markdown = builder.markdownOf(
        answer.children.filter((node) => !nested.includes(node as Container)),
        block,
      );
      const named = answer.title && !plainSolution.test(answer.title) && !/^hint$/i.test(answer.title) ? answer.title : undefined;
      if (!markdown && !named) builder.page.note(child.line, `an empty ${child.name}`, "left out");
      else if (child.name === "hint") hints.push([...(named ? [`**${named}**`] : []), markdown].join("\n\n").trim());
      else solutions.push({ ...(named && markdown && { title: named }), markdown: markdown || (named ?? "") });
      for (const inner of nested) solutions.push({ markdown: builder.markdownOf(inner.children, block) });
    }
  }
  const markdown = builder.markdownOf(task, block);
  block.data = { ...(title && markdown && { title }), markdown: markdown || (title ?? "…"), hints, solutions };
  if (!markdown && !title) {
    builder.page.note(container.line, "a challenge without a task", "left out; its solutions are kept as callouts");
    for (const child of children) if (isAnswer(child)) addCallout(child, builder, callouts[child.name] ?? { kind: "note" });
    return;
  }
  builder.addBlock(block, anchorsOf(container));
}
