import { type EventStore, eventIdFrom } from "@colloquy/infra/event-store/client.ts";
import { type ExplainerEvent, explainerErased, explainerEvents, explainerStream } from "@colloquy/schemas/explainers/events.ts";
import { type ExplainerState, withUnknownEvent } from "@colloquy/schemas/explainers/state.ts";
import { type CommandHandler, type CommandRequest, commandHandler } from "../command-handler.ts";
import type { ExplainerCommand } from "./commands.ts";
import { explainerDecider } from "./decider.ts";

/** The request of a video's owner. */
export type JobRequest = CommandRequest & { requestId: string; correlationId: string };

export type ExplainerJobs = CommandHandler<ExplainerCommand, ExplainerEvent, ExplainerState>;

/** Jobs in the event store. An erasure truncates the stream. */
export const explainerJobs = ({ store }: { store: EventStore }): ExplainerJobs =>
  commandHandler({
    store,
    category: "explainer",
    stream: explainerStream,
    decider: explainerDecider,
    events: explainerEvents,
    eventId: ({ id, event, index, revision }) => eventIdFrom("explainer", id, String(revision), String(index), JSON.stringify(event)),
    timeOf: ({ at }) => at,
    accountOf: ({ accountId }) => accountId,
    evolveUnknown: withUnknownEvent,
    deletion: explainerErased,
  });
