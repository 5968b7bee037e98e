import { expect } from "chai";
import type { Group, Injection } from "./corpus/injection.ts";
import type { House } from "./house.ts";

/** The ids of what was brought in; whether all were is looked at last. */
export const executed = new Set<string>();

/** A test that brings in each of a group, the model being told nothing before; `attempt` says what was wrong afterwards. */
export function tried<How>(
  house: () => House,
  { name, mustNot, injections }: Group<How>,
  attempt: (injection: Injection<How>) => Promise<readonly string[]>,
): void {
  it(`${name} (${injections.length}) must not ${mustNot}`, async () => {
    const faults: string[] = [];
    for (const injection of injections) {
      house().model.calls.splice(0);
      house().model.obey = null;
      executed.add(injection.id);
      const found = await attempt(injection).catch((error: Error) => [error.message]);
      faults.push(...found.map((fault) => `${injection.id}: ${fault}`));
    }
    expect(faults.join("\n")).to.equal("");
  });
}
