import { z } from "zod";
import { type Upcaster, upcast } from "./upcasting.ts";

/** One event type: its newest version, the fields of its data at that version, and how each older version becomes the next. */
export interface EventDefinition {
  version: number;
  /** The data without `schemaVersion`. It checks and never changes: no default, no transformation. */
  data: z.ZodObject;
  /** By the version that an upcaster takes. */
  upcast?: Readonly<Record<number, Upcaster>>;
}

export type EventDefinitions = Readonly<Record<string, EventDefinition>>;

/** An event as a stream holds it: what `parse` needs, to read it and to name it in an error. */
export interface EventInStream {
  stream: string;
  revision: number;
  type: string;
  data: unknown;
}

/** The event types of one kind of stream. */
export interface EventRegistry<Definitions extends EventDefinitions> {
  readonly definitions: Definitions;
  /** Every type, in the order of the definitions. */
  readonly types: readonly (keyof Definitions & string)[];
  has(type: string): type is keyof Definitions & string;
  /**
   * The event at its newest version. Its data is the stored object itself where that was of the newest version already: fields that this
   * version does not know stay. Texts in it are untrusted.
   * @throws {UnreadableEvent} for a type or a version that this program does not know, and for data that does not fit
   */
  parse(stored: EventInStream): EventUnion<Definitions>;
}

type DataOf<Definition extends EventDefinition> = { schemaVersion: Definition["version"] } & z.infer<Definition["data"]>;
type EventUnion<Definitions extends EventDefinitions> = {
  [Type in keyof Definitions & string]: { type: Type; data: DataOf<Definitions[Type]> };
}[keyof Definitions & string];

/** The union of a registry's events, each `{ type, data }` at its newest version. */
export type EventOf<Registry> = Registry extends EventRegistry<infer Definitions> ? EventUnion<Definitions> : never;
/** The data of one event type, with its `schemaVersion`. */
export type EventDataOf<Registry, Type extends string> = Extract<EventOf<Registry>, { type: Type }>["data"];

/** A stored event that this program cannot read. */
export class UnreadableEvent extends TypeError {
  override name = "UnreadableEvent";
  readonly stream: string;
  readonly revision: number;
  readonly type: string;
  /** Path of the field that does not fit, such as `citations.0.href`; empty where no field is at fault. */
  readonly field: string;

  constructor({ stream, revision, type }: EventInStream, reason: string, field = "", options?: ErrorOptions) {
    super(`${type} (revision ${revision} of ${stream}) cannot be read: ${field && `${field}: `}${reason}`, options);
    this.stream = stream;
    this.revision = revision;
    this.type = type;
    this.field = field;
  }
}

/** Defines the event types of one kind of stream; the types, the list of names and the reader derive from it. */
export function defineEvents<const Definitions extends EventDefinitions>(definitions: Definitions): EventRegistry<Definitions> {
  const schemas = new Map<string, z.ZodType>();
  for (const [type, { version, data }] of Object.entries(definitions)) {
    // Unknown fields are kept: a newer program may have added an optional one.
    schemas.set(type, z.looseObject({ schemaVersion: z.literal(version), ...data.shape }));
  }
  const upcasters = Object.fromEntries(Object.entries(definitions).flatMap(([type, { upcast: steps }]) => (steps ? [[type, steps]] : [])));
  const isKnown = (type: string): type is keyof Definitions & string => schemas.has(type);

  return {
    definitions,
    types: Object.keys(definitions).filter(isKnown),
    has: isKnown,
    parse(stored) {
      const { type, data } = newest(stored, upcasters);
      const schema = schemas.get(type);
      if (!schema) throw new UnreadableEvent(stored, "this version of the program does not know the type");
      const result = schema.safeParse(data);
      if (!result.success) {
        const [issue] = result.error.issues;
        throw new UnreadableEvent(stored, issue?.message ?? "invalid data", issue?.path.join("."));
      }
      return { type, data } as EventUnion<Definitions>;
    },
  };
}

function newest(stored: EventInStream, upcasters: Parameters<typeof upcast>[1]): { type: string; data: unknown } {
  try {
    return upcast(stored, upcasters);
  } catch (error) {
    throw new UnreadableEvent(stored, error instanceof Error ? error.message : String(error), "", { cause: error });
  }
}
