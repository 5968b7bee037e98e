/** Bounds of what models are given, asked and believed. Apart from `bounds`, because browsers load that. */
export const modelBounds = {
  /**
   * What a model reads of the courses in one turn. `tokens`: at most, and at most `share` of the model's context window. `found`: sections
   * that the question finds; `relevance`: the least score of a section, as a share of the best one's.
   * `topicPage`: the longest page that is read whole because the conversation is about it. Of a section longer than `longestSection` tokens only the part around what was found is read. `pagesRead`: pages that one search
   * opens; `pagesAttached`: of an attached collection or course.
   */
  brief: {
    tokens: 24_000,
    share: 0.4,
    /** Passages that a search for a brief returns. */
    passages: 300,
    /**
     * What is read of the sections that a question finds: the best `sections` whole, then the key points of the pages with a hit (in all up
     * to `keyPoints` tokens) and parts of `tokens` tokens of the other sections. A section below `relevance` of the best score is not read.
     */
    found: { tokens: 22_000, sections: 8, relevance: 0.25, parts: { tokens: 400, keyPoints: 6_000 } },
    longestSection: 1_800,
    topicPage: 14_000,
    pagesRead: 60,
    pagesAttached: 40,
    /** Tokens of the conversation before the question, at most. */
    history: 8_000,
    /** Share of a window that is left free, because tokenizers differ. */
    margin: 0.1,
    /** Of models whose catalogue entry does not say. */
    contextTokens: 64_000,
  },
  /**
   * The call that turns a question and its conversation into a question that stands alone. `withinMs`: after this long the turn goes on
   * without; a model that was late or failed `failuresInARow` times is not asked for `pauseMs`. `ownWeight`: what the learner's words count
   * in the search beside it.
   */
  rewriting: {
    withinMs: 650,
    outputTokens: 160,
    historyTokens: 1_500,
    questionLength: 600,
    termsLength: 300,
    failuresInARow: 3,
    pauseMs: 300_000,
    ownWeight: 0.5,
  },
  /**
   * Models of programs on this machine. They are looked for again after `refreshMs` at the earliest and every `watchMs`; a request waits for that for `refreshWithinMs`. A probe without an
   * answer is repeated after `probeAgainMs`. `contextTokens`: the window if the program does not say; `objectTokens`: the least for lessons and quizzes, whose prompt and answer take
   * up to 13,000 tokens. `timeouts`: a program may have to load the model first.
   */
  localModels: {
    refreshMs: 3_000,
    refreshWithinMs: 400,
    watchMs: 10_000,
    probeAgainMs: 60_000,
    contextTokens: 4_096,
    objectTokens: 16_000,
    reasoningTokens: 2_000,
    timeouts: { connectMs: 120_000, firstTokenMs: 180_000, idleMs: 60_000, wholeMs: 600_000 },
  },
  /** The support check by a model: the claims put before it, their characters together, its tokens, and how long it may take. */
  support: { claims: 40, claimsLength: 16_000, outputTokens: 2_000, withinMs: 10_000 },
  gateway: {
    /** So many failures in a row, and a provider (or a model of it) is skipped; then one call probes whether it is back. */
    failuresInARow: 3,
    /** The first time for this long, doubled by every probe that fails. */
    skipMs: { first: 5_000, most: 120_000 },
    /** What models write for one account at once (per process): more than a workspace has panes. */
    streamsPerAccount: 8,
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
} as const;
