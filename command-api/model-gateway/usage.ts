import { join } from "node:path";
import type { Config } from "@colloquy/infra/config.ts";
import { openDatabase, sqliteFile } from "@colloquy/infra/database/open.ts";
import { actingAccount } from "@colloquy/infra/http/acting-account.ts";
import type { Logger } from "@colloquy/infra/telemetry/log.ts";
import { modelRequests, modelTokens } from "@colloquy/infra/telemetry/metrics.ts";
import { catalogSlots, type LeftToday, type Provider } from "@colloquy/schemas/models.ts";

interface UsageTables {
  model_usage: { account_id: string; slot: string; day: string; requests: number; tokens: number };
}

/** What accounts used of the slots today, against the limits of the configuration. */
export interface ModelUsage {
  /**
   * Counts a request of the acting account; null, and not counted, if the slot's limit of the day is used up. What a person asked for is
   * finished: a slot that admitted a part of it admits the rest.
   */
  admit(slot: Provider): Promise<Meter | null>;
  /** Slots whose limit the acting account has used up. */
  usedUp(): Promise<ReadonlySet<Provider>>;
  /** For each slot with a limit. */
  leftToday(accountId: string): Promise<Map<Provider, LeftToday>>;
  /** Deletes the counts of an account. */
  forget(accountId: string): Promise<void>;
  close(): Promise<void>;
}

/** Counts what an admitted request used; a failure to do so is logged only. */
export type Meter = (used: { requests?: number; tokens: number }) => Promise<void>;

interface Limits {
  requests: number | undefined;
  tokens: number | undefined;
}

/**
 * Kept in the database of the read models on PostgreSQL, which all command APIs share; else in a file of its own, because that of the read
 * models may be deleted at any time. Nothing is stored for slots without a limit.
 * @param now milliseconds since 1970
 */
export function openModelUsage({
  config,
  log,
  now = Date.now,
}: {
  config: Config;
  log: Pick<Logger, "error">;
  now?: () => number;
}): ModelUsage {
  const limits = limitsOf(config);
  const isShared = sqliteFile(config) === null;
  const database = openDatabase<UsageTables>(
    isShared ? config : { ...config, DATABASE_URL: `sqlite://${join(config.DATA_DIR, "model-usage.db")}` },
    { onIdleError: (error) => log.error({ err: error }, "a database connection broke") },
  );
  const today = (): string => new Date(now()).toISOString().slice(0, 10);
  /** The day that older rows were last deleted. */
  let swept = "";
  let created: Promise<void> | null = null;

  /** The database with its table, without the rows of past days. */
  async function ready(): Promise<typeof database> {
    created ??= createTable().catch((error: unknown) => {
      created = null;
      throw error;
    });
    await created;
    const day = today();
    if (swept !== day) {
      await database.deleteFrom("model_usage").where("day", "<", day).execute();
      swept = day;
    }
    return database;
  }

  async function createTable(): Promise<void> {
    const create = () =>
      database.schema
        .createTable("model_usage")
        .ifNotExists()
        .addColumn("account_id", "text", (column) => column.notNull())
        .addColumn("slot", "text", (column) => column.notNull())
        .addColumn("day", "text", (column) => column.notNull())
        .addColumn("requests", "integer", (column) => column.notNull())
        .addColumn("tokens", "integer", (column) => column.notNull())
        .addPrimaryKeyConstraint("model_usage_key", ["account_id", "slot", "day"])
        .execute();
    // PostgreSQL fails one of two that create it at once.
    await create().catch(create);
  }

  /** Adds to the row of the day, if it is below `limit`; whether it was. */
  async function count(accountId: string, slot: Provider, used: { requests: number; tokens: number }, limit?: Limits): Promise<boolean> {
    const row = { account_id: accountId, slot, day: today(), ...used };
    const query = (await ready()).insertInto("model_usage").values(row);
    const counted = await query
      .onConflict((conflict) =>
        conflict
          .columns(["account_id", "slot", "day"])
          .doUpdateSet((of) => ({
            requests: of("model_usage.requests", "+", used.requests),
            tokens: of("model_usage.tokens", "+", used.tokens),
          }))
          .where("model_usage.requests", "<", limit?.requests ?? noLimit)
          .where("model_usage.tokens", "<", limit?.tokens ?? noLimit),
      )
      .returning("slot")
      .execute();
    return counted.length > 0;
  }

  async function leftToday(accountId: string): Promise<Map<Provider, LeftToday>> {
    if (limits.size === 0) return new Map();
    const rows = await (await ready())
      .selectFrom("model_usage")
      .selectAll()
      .where("account_id", "=", accountId)
      .where("day", "=", today())
      .execute();
    const left = (limit: number | undefined, used = 0) => (limit === undefined ? null : { left: Math.max(0, limit - used), of: limit });
    return new Map(
      [...limits].map(([slot, limit]) => {
        const row = rows.find((one) => one.slot === slot);
        return [slot, { requests: left(limit.requests, row?.requests), tokens: left(limit.tokens, row?.tokens) }];
      }),
    );
  }

  return {
    async admit(slot) {
      const account = actingAccount();
      const limit = limits.get(slot);
      if (account && limit) {
        const isAdmitted = account.admittedSlots.has(slot);
        if (!(await count(account.accountId, slot, { requests: 1, tokens: 0 }, isAdmitted ? undefined : limit))) return null;
        account.admittedSlots.add(slot);
      }
      modelRequests.inc({ slot });
      return async ({ requests = 0, tokens }) => {
        modelRequests.inc({ slot }, requests);
        modelTokens.inc({ slot }, tokens);
        if (!account || !limit) return;
        await count(account.accountId, slot, { requests, tokens }).catch((error: unknown) =>
          log.error({ err: error, slot }, "the tokens of a model call were not counted"),
        );
      };
    },

    async usedUp() {
      const account = actingAccount();
      if (!account) return new Set();
      const left = await leftToday(account.accountId);
      const isUsedUp = ({ requests, tokens }: LeftToday) => requests?.left === 0 || tokens?.left === 0;
      return new Set([...left].filter(([slot, of]) => isUsedUp(of) && !account.admittedSlots.has(slot)).map(([slot]) => slot));
    },

    leftToday,

    async forget(accountId) {
      await (await ready()).deleteFrom("model_usage").where("account_id", "=", accountId).execute();
    },

    close: () => database.destroy(),
  };
}

/** The most that both databases keep in a column of integers. */
const noLimit = 2 ** 31 - 1;

/** Slots with a limit. */
function limitsOf(config: Config): Map<Provider, Limits> {
  const limits = new Map<Provider, Limits>();
  for (const slot of catalogSlots) {
    const name = slot.toUpperCase() as Uppercase<typeof slot>;
    const limit = { requests: config[`${name}_DAILY_REQUESTS`], tokens: config[`${name}_DAILY_TOKENS`] };
    if (limit.requests !== undefined || limit.tokens !== undefined) limits.set(slot, limit);
  }
  return limits;
}
