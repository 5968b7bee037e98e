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
    /**
     * How long a kept turn goes on without a reader. Longer than the 35 s of silence after which a browser takes a connection
     * for lost, so that one that noticed by silence alone can still come back.
     */
    graceMs: 45_000,
    /**
     * How long a kept turn that ended can be read again, and how much of such turns, and of the beginnings of conversations, a
     * process holds, the oldest going first.
     */
    kept: { ms: 600_000, characters: 16_777_216, startCharacters: 4_194_304 },
    /** How often an account may come back to a turn in a minute (per process, best effort). */
    returnsPerMinute: 120,
  },
  gateway: {
    /** So many failures in a row, and a provider (or a model of it) is skipped; then one call probes whether it is back. */
    failuresInARow: 3,
    /** The first time for this long, doubled by every probe that fails. */
    skipMs: { first: 5_000, most: 120_000 },
    /** The longest `Retry-After` that is believed. */
    retryAfterMs: 900_000,
    /** One streamed response, its frames included; and the text of an object. */
    streamBytes: 16_777_216,
    responseBytes: 2_097_152,
    /** Markup of a model's own (a tool call) longer than this is text. */
    markupLength: 4_000,
    /** How much of an object that did not fit is shown to its model again. */
    repairLength: 60_000,
  },
  /**
   * `unsupported`: marks of one citation that can be doubted; `missingWords`: what is named as missing of each.
   * `judged`: claims of an answer that are looked at; an ordinary one has some 20.
   */
  citation: { quoteLength: 300, perAnswer: 40, judged: 200, unsupported: 40, missingWords: 6, missingWordLength: 60 },
  /** The support check by a model: the claims put before it, their characters together, its tokens, and how long it may take. */
  support: { claims: 40, claimsLength: 16_000, outputTokens: 2_000, withinMs: 10_000 },
  followUps: { count: 3, length: 160 },
  references: { queryLength: 200, results: 20, excerptLength: 240 },
  quiz: {
    questions: { min: 1, max: 20, usual: 5 },
    choices: { min: 2, max: 8 },
    textLength: 2_000,
    /** Questions asked of a model at a time, its tokens for them, and how many more calls than needed are made for what it repeats. */
    batch: 5,
    outputTokens: 6_000,
    spareCalls: 2,
  },

  /**
   * A tutoring session. `objectives`: what one session teaches; `probes`: diagnostic items asked before the plan; `itemsPerStep`: checks
   * of one step, for each of its objectives, before it is replanned or left; `replans`: in one session; `planTries`: proposals that may fail verification;
   * `turns`: everything a learner may do in one session.
   */
  tutor: {
    goalLength: 500,
    answerLength: 4_000,
    disputeLength: 1_000,
    references: 12,
    objectives: 6,
    probes: 8,
    steps: 16,
    itemsPerStep: 8,
    replans: 3,
    planTries: 2,
    hints: 3,
    turns: 400,
    messages: 2_000,
    sessions: 100,
    /** Passages put before the model in one call, in estimated tokens, and how many. */
    passageTokens: 4_800,
    passages: 24,
    teachingLength: 6_000,
    outputTokens: { probe: 5_000, plan: 3_000, verification: 1_500, teaching: 1_200, check: 1_800, grading: 1_500 },
    /** Tries at an item that the application can take. */
    itemTries: 2,
    turnsPerMinute: 60,
  },

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
  /** What an auditor may ask for in a minute, and how many sessions one page of a search has. */
  audit: { queryLength: 200, pageSize: 50, requestsPerMinute: 240 },
  /** Of an account's own stream (preferences, progress, review): its changes, and what they may hold. */
  learner: { changes: 200_000, hiddenModels: 200, reviewsKept: 400 },
  annotation: { quoteLength: 1_000, contextLength: 100, noteLength: 8_000, changes: 2_000 },
  /** Things deleted by one request to delete an account's data; the next one goes on. */
  erasure: { entitiesPerRequest: 200 },
  /** A workspace's layout: its panes, the tabs of all of them, what the smaller part of a split keeps of its room, a page's address and title. */
  workspace: { panes: 6, tabs: 40, leastShare: 0.2, hrefLength: 4_000, titleLength: 200 },
  /** A token of a page on another site; renewals and new ones an account may have in a minute (per process, best effort). */
  embed: { tokenSeconds: 600, tokensPerMinute: 30 },

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
