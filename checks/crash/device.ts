import { setTimeout as pause } from "node:timers/promises";
import { change, type Learner, opening, turn } from "../../journeys/learner.ts";

/** A change as a device knows it. */
export interface Sent {
  changeId: string;
  conversation: string;
  type: string;
  data: object;
  device: string;
  /** Counts up over everything the device does. */
  number: number;
  accountId: string;
}

/** What the devices of a run did, and what they were told. */
export interface Record {
  sent: Map<string, Sent>;
  /** Change ids that were acknowledged: accepted, or recognised as accepted before. */
  acknowledged: Set<string>;
  refused: Map<string, string>;
  pushes: number;
  /** Pushes that were not answered, or not with success, and were sent again. */
  repeated: number;
}

export const emptyRecord = (): Record => ({ sent: new Map(), acknowledged: new Set(), refused: new Map(), pushes: 0, repeated: 0 });

const changesPerPush = 6;
/** On the average between two pushes: what two devices send stays within what one account may in a minute. */
const pauseMs = { between: 400, again: 100 };
/** After the end of the load, how long a device goes on trying to get its last push through. */
const lastTryMs = 90_000;
const answer = "A pipe connects the output of one program with the input of the next. ".repeat(4);

/**
 * One device under load: does random things in conversations, keeps them until they are acknowledged, and sends them again when they
 * are not, as a browser's outbox does. Ends some time after the signal, with nothing unsent.
 */
export async function runDevice(options: {
  learner: Learner & { accountId: string };
  name: string;
  /** Those whose start was acknowledged and that nobody deletes; shared with the account's other devices, which work in them, too. */
  conversations: string[];
  record: Record;
  random: () => number;
  signal: AbortSignal;
}): Promise<void> {
  const { learner, name, conversations, record, random, signal } = options;
  let number = 0;
  let begun: string[] = [];
  const make = (conversation: string, type: string, data: object): Sent => {
    number += 1;
    return { changeId: `change-${name}-${number}`, conversation, type, data, device: name, number, accountId: learner.accountId };
  };
  const begin = (): Sent => {
    const id = `conversation-${name}-${number}`;
    begun.push(id);
    return make(id, "started", opening(`About ${id}`));
  };
  const something = (): Sent => {
    const own = [...conversations, ...begun];
    const open = own[Math.floor(random() * own.length)];
    if (open === undefined || random() < 0.06) return begin();
    const [type, data] = pick(random(), `${name}-${number}`);
    if (type !== "deleted") return make(open, type, data);
    if (!conversations.includes(open)) return begin();
    conversations.splice(conversations.indexOf(open), 1);
    return make(open, type, data);
  };
  let stopped = 0;
  signal.addEventListener("abort", () => (stopped = Date.now()), { once: true });

  while (!signal.aborted) {
    const batch = Array.from({ length: 1 + Math.floor(random() * changesPerPush) }, something);
    for (const sent of batch) record.sent.set(sent.changeId, sent);
    const changes = batch.map(({ changeId, conversation, type, data }) => change(changeId, conversation, type, data));
    for (;;) {
      try {
        const { results } = await learner.push(changes);
        record.pushes += 1;
        for (const { changeId, outcome, code } of results)
          if (outcome === "refused") record.refused.set(changeId, code ?? "");
          else record.acknowledged.add(changeId);
        break;
      } catch (error) {
        record.repeated += 1;
        if (signal.aborted && Date.now() > stopped + lastTryMs)
          throw new Error(`${name} could not get its last push through`, { cause: error });
        await pause(pauseMs.again * (0.5 + random()));
      }
    }
    conversations.push(...begun);
    begun = [];
    await pause(2 * pauseMs.between * random());
  }
}

function pick(die: number, id: string): [type: string, data: object] {
  if (die < 0.5) return ["turn_recorded", turn(`turn-${id}`, "What does a pipe do?", answer)];
  if (die < 0.65) return ["renamed", { title: `Renamed by ${id}` }];
  if (die < 0.75) return [die < 0.7 ? "pinned" : "unpinned", {}];
  if (die < 0.85) return [die < 0.8 ? "archived" : "restored", {}];
  if (die < 0.97) return ["reference_attached", { href: `/courses/${Math.floor(die * 1_000) % 8}`, title: "A place" }];
  return ["deleted", {}];
}
