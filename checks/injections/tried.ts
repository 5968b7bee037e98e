import { expect } from "chai";
import type { Group, Injection } from "./corpus/injection.ts";
import type { Target } from "./target.ts";

/** The ids of what was brought in; whether all were is looked at last. */
export const executed = new Set<string>();

/** A test that brings in each of a group, the model being told nothing before; `attempt` says what was wrong afterwards. */
export function tried<How>(
  target: () => Target,
  { name, mustNot, injections }: Group<How>,
  attempt: (injection: Injection<How>) => Promise<readonly string[]>,
): void {
  it(`${name} (${injections.length}) must not ${mustNot}`, async () => {
    const faults: string[] = [];
    for (const injection of injections) {
      target().model.calls.splice(0);
      target().model.obey = null;
      executed.add(injection.id);
      const found = await attempt(injection).catch((error: Error) => [error.message]);
      faults.push(...found.map((fault) => `${injection.id}: ${fault}`));
    }
    expect(faults.join("\n")).to.equal("");
  });
}
