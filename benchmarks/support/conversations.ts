import { openStore } from "@colloquy/infra/event-store/embedded/store.ts";
import { uuidBytes } from "@colloquy/infra/event-store/embedded/uuid.ts";

/** Events of one conversation: its start, six turns, a new title, a pin and a reference. */
export const eventsPerConversation = 10;
const conversationsAtOnce = 200;
const answer = "A pipe connects the output of one program with the input of the next one. ".repeat(3);

const streamOf = (number: number): string => `conversation-benchmark-${number}`;

/**
 * Adds conversations `from` (inclusive) to `to` to the events of a folder whose store does not run: through the store's own writer, in
 * large groups, of one of fifty accounts each unless told. Conversations go on beside each other, as they would. Leaves the counts of events at multiples of ten.
 */
export function addConversations(folder: string, from: number, to: number, accountOf: (number: number) => string = oneOfFifty): void {
  const store = openStore(folder);
  try {
    for (let first = from; first < to; first += conversationsAtOnce) {
      const numbers = Array.from({ length: Math.min(conversationsAtOnce, to - first) }, (_, offset) => first + offset);
      for (let index = 0; index < eventsPerConversation; index += 1) {
        const settled = store.writeAll(
          numbers.map((number) => ({
            kind: "append",
            stream: streamOf(number),
            expected: index === 0 ? "no_stream" : BigInt(index - 1),
            events: [proposed(number, index, accountOf(number))],
          })),
        );
        if (settled.some(({ kind }) => kind !== "written")) throw new Error("the events could not be written");
      }
    }
  } finally {
    store.close();
  }
}

const oneOfFifty = (number: number): string => `acc_benchmark${number % 50}`;

function proposed(number: number, index: number, accountId: string) {
  const [type, data] = eventOf(number, index);
  const metadata = { accountId, requestId: `change-${number}-${index}`, correlationId: "benchmark" };
  return {
    id: uuidBytes(crypto.randomUUID()) ?? new Uint8Array(16),
    type,
    json: true,
    data: bytes({ schemaVersion: 1, ...data }),
    metadata: bytes(metadata),
  };
}

const bytes = (value: object): Uint8Array => Buffer.from(JSON.stringify(value));

function eventOf(number: number, index: number): [type: string, data: object] {
  if (index === 0)
    return ["ConversationStarted", { mode: "ask", model: { choice: "automatic" }, references: [], title: `Conversation ${number}` }];
  if (index === 4) return ["ConversationRenamed", { title: `About pipes, ${number}` }];
  if (index === 8) return ["ConversationPinned", {}];
  if (index === 9) return ["ReferenceAttached", { href: "/courses/shell/pipes", title: "Pipes" }];
  const model = { outcome: "finished", provider: "p1", model: "m", fallbackDepth: 0 };
  return ["TurnRecorded", { turnId: `turn-${number}-${index}`, question: "What does a pipe do?", answer, citations: [], ...model }];
}
