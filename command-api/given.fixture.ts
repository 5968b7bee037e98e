import { expect } from "chai";
import { type Decider, type Recorded, Rejection } from "./decider.ts";

type AnyEvent = { type: string; data: object };
/** An event of the past; its metadata is filled up. */
export type Past<Event> = Event & { metadata?: Partial<Recorded<Event>["metadata"]> };

export interface Given<Command, Event, State> {
  /** The given events and the state after them. */
  events: readonly Event[];
  state: State;
  /** Continues with what an accepted command leads to. */
  and(command: Command): Given<Command, Event, State>;
  when(command: Command): {
    /** What the command leads to: whole events, or only their types. */
    then(...expected: (Event | Event extends { type: infer Type } ? Event | Type : never)[]): Given<Command, Event, State>;
    /** @param detail part of the rejection's detail */
    thenRejected(code: Rejection["code"], detail?: string): Given<Command, Event, State>;
  };
}

/**
 * Tests of a decider: `given(...events).when(command).then(...events)` or `.thenRejected(code)`. The result is given the new events
 * as well, so that a test can continue.
 * @param accountId the account of events that name none
 */
export function givenFor<Command, Event extends AnyEvent, State>(decider: Decider<Command, Event, State>, accountId = "acc_owner_001") {
  const record = (event: Past<Event>, revision: number): Recorded<Event> =>
    Object.assign({}, event, {
      metadata: { id: `event-${revision}`, revision, position: String(revision * 10), accountId, ...event.metadata },
    });

  const accepted = (decision: readonly Event[] | Rejection): readonly Event[] =>
    decision instanceof Rejection ? expect.fail(`rejected with ${decision.code}: ${decision.options.detail ?? ""}`) : decision;

  /** @param state the state after these events */
  function givenState(past: readonly Past<Event>[], state: State): Given<Command, Event, State> {
    const continued = (events: readonly Past<Event>[]) =>
      givenState(
        [...past, ...events],
        events.map((event, index) => record(event, past.length + index)).reduce((before, event) => decider.evolve(before, event), state),
      );
    return {
      events: past,
      state,
      and(command) {
        return continued(accepted(decider.decide(command, state)));
      },
      when(command) {
        const decision = decider.decide(command, state);
        return {
          // biome-ignore lint/suspicious/noThenProperty: the last word of given, when, then
          then(...expected) {
            const events = accepted(decision);
            const decided = events.map((event, index) => (typeof expected[index] === "string" ? event.type : event));
            expect(decided).to.deep.equal(expected);
            return continued(events);
          },
          thenRejected(code, detail = "") {
            if (!(decision instanceof Rejection)) return expect.fail(`accepted with ${decision.map(({ type }) => type).join(", ")}`);
            expect(decision.code).to.equal(code);
            expect(decision.options.detail ?? "").to.include(detail);
            return continued([]);
          },
        };
      },
    };
  }

  return function given(...past: readonly Past<Event>[]): Given<Command, Event, State> {
    const state = past.map(record).reduce((before, event) => decider.evolve(before, event), decider.initialState);
    return givenState(past, state);
  };
}
