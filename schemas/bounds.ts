/**
 * Every bound of the product, in one place and free of any import, so that browsers, servers and tests share it.
 * Lengths are UTF-16 code units (what `string.length` counts), sizes are bytes, times are milliseconds unless named otherwise.
 */
export const bounds = {
  idLength: { min: 8, max: 64 },
  json: { bodyBytes: 1_048_576 },

  ask: {
    messageLength: 8_000,
    historyEntries: 40,
    historyEntryLength: 24_000,
    references: 12,
    hrefLength: 1_000,
    /** Passages put before the model in one turn, in estimated tokens (4 characters each). */
    passageTokens: 3_600,
    passages: 16,
    /** Longest answer asked of a model, in its own tokens. */
    outputTokens: 1_600,
    /** An answer longer than this is ended with finishReason "length". */
    answerLength: 60_000,
    heartbeatMs: 10_000,
    /** Turns one account may start in a minute (per process, best effort). */
    turnsPerMinute: 30,
  },
  citation: { quoteLength: 300, perAnswer: 40 },
  followUps: { count: 3, length: 160 },
  references: { queryLength: 200, results: 20, excerptLength: 240 },
  quiz: { questions: { min: 1, max: 20 }, choices: { min: 2, max: 8 }, textLength: 2_000, outputTokens: 6_000 },

  conversation: { titleLength: 200, answerLength: 60_000, turns: 2_000, changes: 20_000 },
  sync: {
    changesPerPush: 100,
    changesPerPull: 500,
    changeBytes: 262_144,
    pushesPerMinute: 300,
    streamsPerAccount: 12,
    heartbeatMs: 15_000,
  },
  conversations: { pageSize: 100, queryLength: 200 },

  course: {
    titleLength: 200,
    summaryLength: 1_000,
    slugLength: 80,
    objectives: 40,
    objectiveLength: 500,
    topics: 2_000,
    collections: 500,
    blocksPerTopic: 500,
    blockLength: 65_536,
    containerDepth: 6,
    assets: 2_000,
    assetBytes: 16_777_216,
    assetPathLength: 300,
    /** Longest text of one passage of the search index. */
    passageLength: 1_400,
  },
} as const;

/** How long a query waits for its read model to hold the asked-for position. */
export const readYourWritesMs = 2_000;
