import type { EventDataOf } from "@colloquy/schemas/define-events.ts";
import type { eventStreams } from "@colloquy/schemas/events/registry.ts";

type Registries = typeof eventStreams;
/** Every kind of stream, by how its name is made, with its event types and their data: what docs/reports/events.md is made from. */
export type Streams = { [Name in keyof Registries]: EventDataOf<Registries[Name]> };
