import { quoted, refuse, type Stage } from "./stage.ts";
import { spokenAt } from "./timing.ts";

/** When a cue is spoken, in milliseconds of the scene: 0 for an empty one; a finding where the narration does not have its words. */
export function cueAt(stage: Stage, cue: string): number {
  if (cue === "") return 0;
  const at = spokenAt(cue, stage);
  if (at !== undefined) return at;
  refuse(stage, `The narration does not have the words ${quoted(cue)} at which something is to appear.`);
  return 0;
}
