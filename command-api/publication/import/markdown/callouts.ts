import type { CalloutKind } from "@colloquy/schemas/courses/blocks.ts";
import type { Builder, ContainerRule } from "./builder.ts";
import { unwrapped } from "./builder.ts";
import type { Container } from "./containers.ts";
import { draftBlock } from "./draft.ts";
import { namesInstructors, noteTitle } from "./for-instructors.ts";

export interface CalloutStyle {
  kind: CalloutKind;
  folded?: boolean;
  /** When the author gave none. */
  title?: string;
  /** A title that says no more than the kind does; it is left out. */
  plainTitle?: RegExp;
}

/** Callouts of the labels GitHub and mdBook know, and `<details>`. */
export const labelledCallouts: Record<string, CalloutStyle> = {
  note: { kind: "note" },
  important: { kind: "note", title: "Important" },
  tip: { kind: "tip" },
  hint: { kind: "tip" },
  warning: { kind: "warning" },
  caution: { kind: "warning" },
  danger: { kind: "warning" },
  details: { kind: "note", folded: true },
};

/**
 * Adds a container as a callout; one whose title says so is for instructors. One without text is reported and left out; one with a title
 * alone keeps it as its text.
 */
export function addCallout(container: Container, builder: Builder, given: CalloutStyle): void {
  const block = draftBlock("core.callout", { kind: given.kind, folded: given.folded ?? false, markdown: "" });
  if (block.type !== "core.callout") return;
  const { title, children } = builder.takeTitle(container, block);
  const style = title && noteTitle.test(title) ? forInstructors : given;
  const { kind, folded = false } = style;
  const shown = title && style.plainTitle?.test(title) ? undefined : (title ?? style.title);
  const markdown = builder.markdownOf(children, block);
  if (!markdown && !title) {
    builder.page.note(container.line, `an empty part, “${container.name}”`, "left out");
    return;
  }
  const [first = "", ...more] = builder.split(markdown || (title ?? ""));
  block.data = { kind, folded, ...(markdown && shown && { title: shown }), markdown: first };
  builder.addBlock(block, anchorsOf(container));
  for (const part of more) builder.addBlock(draftBlock("core.callout", { kind, folded, markdown: part }));
}

export const anchorsOf = (container: Container): string[] => (container.attributes.id ? [container.attributes.id] : []);

const forInstructors: CalloutStyle = {
  kind: "instructor",
  folded: true,
  plainTitle: new RegExp(`^(?:instructor|teacher|trainer|speaker)s?$|${noteTitle.source}`, "i"),
};

/** A rule that knows callouts by a table of names, and those for instructors, and unwraps what only groups. */
export function calloutRule(styles: Record<string, CalloutStyle>): ContainerRule {
  return (container, builder) => {
    const style = namesInstructors(container.name) ? forInstructors : styles[container.name];
    if (style) {
      addCallout(container, builder, style);
      return true;
    }
    if (!unwrapped.has(container.name)) return false;
    builder.addNodes(container.children);
    return true;
  };
}
