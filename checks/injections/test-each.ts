import { expect } from "chai";
import type { Group, Injection } from "./corpus/injection.ts";
import type { Target } from "./target.ts";

/** The ids of all injections that were tried. A last test compares them with the corpus. */
export const executed = new Set<string>();

/** A test that tries each injection of a group with a reset model. `attempt` returns the violations. */
export function testEach<How>(
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
