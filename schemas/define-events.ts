import { z } from "zod";

/** The data of version n as version n + 1 has it, without `schemaVersion`. Pure; throws for data that was never valid. */
export type Upcaster = (data: Readonly<Record<string, unknown>>) => Record<string, unknown>;

/** One event type: its newest version, the fields of its data at that version, and how each older version becomes the next. */
export interface EventDefinition {
  version: number;
  /** The data without `schemaVersion`. It checks and never changes: no default, no transformation. */
  data: z.ZodObject;
  /** By the version that an upcaster takes. Stays for as long as a stream may have an event of that version. */
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
  /** Whether an event, stored or decided on, is of one of these types. */
  has(type: string): type is keyof Definitions & string;
  /**
   * The event at its newest version. Its data is the stored object itself where that was of the newest version already. Fields that this
   * version does not know stay, and bounds do not apply: another version accepted the event under its own. Texts in it are untrusted.
   * @throws {UnreadableEvent} for a type or a version that this program does not know, and for data that does not fit
   */
  parse(stored: EventInStream): EventUnion<Definitions>;
}

type DataOf<Definition extends EventDefinition> = { schemaVersion: Definition["version"] } & FieldsOf<z.infer<Definition["data"]>>;
// zod infers an empty object as a record of nothing, which no other field could join.
type FieldsOf<Data> = string extends keyof Data ? Record<never, never> : Data;
type EventUnion<Definitions extends EventDefinitions> = {
  [Type in keyof Definitions & string]: { type: Type; data: DataOf<Definitions[Type]> };
}[keyof Definitions & string];

/** The union of a registry's events, each `{ type, data }` at its newest version. */
export type EventOf<Registry> = Registry extends EventRegistry<infer Definitions> ? EventUnion<Definitions> : never;
/** The data of each event type, without `schemaVersion`. */
export type EventDataOf<Registry> =
  Registry extends EventRegistry<infer Definitions> ? { [Type in keyof Definitions]: FieldsOf<z.infer<Definitions[Type]["data"]>> } : never;

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
  // The result of a check is not used, so a plain object does: unknown fields of the stored object stay.
  for (const [type, { version, data }] of Object.entries(definitions))
    schemas.set(type, z.object({ schemaVersion: z.literal(version), ...data.shape }));
  const isKnown = (type: string): type is keyof Definitions & string => schemas.has(type);

  return {
    definitions,
    types: Object.keys(definitions).filter(isKnown),
    has: isKnown,
    parse(stored) {
      const { type } = stored;
      const [schema, definition] = [schemas.get(type), definitions[type]];
      if (!schema || !definition) throw new UnreadableEvent(stored, "this version of the program does not know the type");
      const data = upcast(stored, definition);
      const issue = schema.safeParse(data).error?.issues.find((one) => !isTolerable(one));
      if (issue) throw new UnreadableEvent(stored, issue.message, issue.path.join("."));
      return { type, data } as EventUnion<Definitions>;
    },
  };
}

/** A field that this version does not know, or a value beyond today's bounds: both were right for the version that wrote the event. */
function isTolerable(issue: z.core.$ZodIssue): boolean {
  if (issue.code === "unrecognized_keys" || issue.code === "too_big" || issue.code === "too_small") return true;
  return issue.code === "invalid_union" && issue.errors.some((option) => option.length > 0 && option.every(isTolerable));
}

/** The data at the newest version; the stored object itself when it is of that version, or of none that an upcaster takes. */
function upcast(stored: EventInStream, { version, upcast: steps = {} }: EventDefinition): unknown {
  let { data } = stored;
  try {
    for (let from = versionOf(data); from < version; from += 1) {
      const step = steps[from];
      if (!step) break;
      data = { ...step(data as Record<string, unknown>), schemaVersion: from + 1 };
    }
  } catch (error) {
    throw new UnreadableEvent(stored, error instanceof Error ? error.message : String(error), "", { cause: error });
  }
  return data;
}

function versionOf(data: unknown): number {
  const version = typeof data === "object" && data !== null && "schemaVersion" in data ? data.schemaVersion : undefined;
  return typeof version === "number" ? version : Number.NaN;
}
