import type { Compilable, CompiledQuery, DialectAdapter, Kysely, QueryResult } from "kysely";

type Value = string | number | null;
type Values = Readonly<Record<string, Value | readonly Value[]>>;
/** What runs queries: a database or a transaction. */
export type Executing = Pick<Kysely<unknown>, "executeQuery" | "getExecutor">;

/** Texts by what makes them, then by engine and variant. */
const texts = new WeakMap<object, WeakMap<DialectAdapter, Map<string, CompiledQuery>>>();

/**
 * A query that `maker` always makes with the same text, compiled once: building and compiling a small query takes longer than SQLite's
 * answer. Under plugins, by which a rebuild gives tables other names, it is compiled each time.
 */
export function compiledOnce(maker: object, database: Executing, variant: string, compile: () => CompiledQuery): CompiledQuery {
  const { adapter, plugins } = database.getExecutor();
  if (plugins.length > 0) return compile();
  const ofMaker = texts.get(maker) ?? new WeakMap<DialectAdapter, Map<string, CompiledQuery>>();
  texts.set(maker, ofMaker);
  const variants = ofMaker.get(adapter) ?? new Map<string, CompiledQuery>();
  ofMaker.set(adapter, variants);
  const query = variants.get(variant) ?? compile();
  variants.set(variant, query);
  return query;
}

/** Stands for a value while a query is built. */
class Placeholder {
  readonly name: string;
  readonly index: number | null;
  constructor(name: string, index: number | null) {
    this.name = name;
    this.index = index;
  }
}

/**
 * A query that is compiled once and then only given values. `build` hands the values on to the query and does not look at them: they are
 * placeholders. Lists are for `in`; their lengths are rounded up to powers of two, so that few texts are made.
 */
export function prepared<Tables, Given extends Values, Row>(
  build: (database: Kysely<Tables>, values: Given) => Compilable<Row>,
): (database: Kysely<Tables>, values: Given) => Promise<QueryResult<Row>> {
  return (database, values) => {
    const entries = Object.entries(values);
    const variant = entries.map(([, value]) => (Array.isArray(value) ? roomFor(value.length) : "")).join();
    const query = compiledOnce(build, database, variant, () => {
      const places = entries.map(([name, value]) => [
        name,
        Array.isArray(value)
          ? Array.from({ length: roomFor(value.length) }, (_, index) => new Placeholder(name, index))
          : new Placeholder(name, null),
      ]);
      return build(database, Object.fromEntries(places) as Given).compile();
    }) as CompiledQuery<Row>;
    const parameters = query.parameters.map((one) => (one instanceof Placeholder ? valueAt(values[one.name], one.index) : one));
    return database.executeQuery({ ...query, parameters });
  };
}

const roomFor = (length: number): number => (length === 0 ? 0 : 2 ** Math.ceil(Math.log2(length)));

/** The last value of a list fills its room. */
const valueAt = (value: Values[string] | undefined, index: number | null): unknown =>
  index === null || !Array.isArray(value) ? value : value[Math.min(index, value.length - 1)];
