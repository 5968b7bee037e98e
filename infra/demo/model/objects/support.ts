import type { GeneratedSupport } from "@colloquy/schemas/generation/support.ts";
import { z } from "zod";
import { type Prompt, taggedJson } from "../prompt.ts";
import { terms } from "../terms.ts";

const claims = z.array(z.object({ id: z.string(), text: z.string(), passages: z.array(z.string()) })).max(60);

/** A claim is carried when half of its words stand in the passages it names: by rule, and no better than the check by words. */
export function makeSupport(prompt: Prompt): GeneratedSupport {
  const parsed = claims.safeParse(taggedJson(prompt, "claims"));
  const verdicts = (parsed.success ? parsed.data : []).map(({ id, text, passages }) => {
    const named = prompt.passages.filter((passage) => passages.includes(passage.id));
    const held = new Set(named.flatMap((passage) => terms(`${passage.title} ${passage.trail.join(" ")} ${passage.text}`)));
    const own = terms(text);
    const supported = own.filter((term) => held.has(term)).length * 2 >= own.length;
    return { claim: id, supported, missing: [] };
  });
  return { verdicts };
}
