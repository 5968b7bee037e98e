/**
 * Every bound of the product, in one place and free of any import, so that browsers, servers and tests share it.
 * Lengths are UTF-16 code units (what `string.length` counts), sizes are bytes, times are milliseconds unless named otherwise.
 */
export const bounds = {
  /**
   * What a browser keeps to read offline besides the account's own store: the pages read last, their pictures, and files of builds
   * besides the present one's; the oldest go first. `answerMs`: how long the service is waited for where there is something kept.
   * `againMs`, `againMostMs`: when a service that did not answer is asked again, at first and at most.
   */
  offline: {
    pages: 120,
    pageBytes: 1_500_000,
    pictures: 240,
    pictureBytes: 3_000_000,
    files: 240,
    answerMs: 4_000,
    againMs: 1_000,
    againMostMs: 8_000,
  },
  /** How often an open, visible page asks whether its course was published anew. */
  reading: { revisionCheckMs: 3_000 },
  /**
   * What an account may read of the query API in a minute (per process, best effort): each page that is in sight asks some 40 times, and a
   * device that is new pulls all there is, page by page.
   */
  queries: { perMinute: 2_400 },
  idLength: { min: 8, max: 64 },
  /**
   * A request's JSON. `depth`: lists and objects within each other, far more than any payload has. `members`: names of all its objects, and
   * `withinMs`: how long it may take to arrive; both grow with the size that a route allows.
   */
  json: { bodyBytes: 1_048_576, depth: 100, members: 20_000, withinMs: 30_000 },

  /** How long a sign-in counts as fresh; the largest logout token of an identity provider; what is read of a browser's name; sign-ins remembered per account. */
  session: { freshMinutes: 15, logoutTokenBytes: 32_768, userAgentLength: 500, remembered: 100 },

  ask: {
    messageLength: 8_000,
    historyEntries: 40,
    historyEntryLength: 24_000,
    references: 12,
    hrefLength: 1_000,
    /** Longest answer asked of a model, in its own tokens. */
    outputTokens: 1_600,
    /** An answer longer than this is ended with finishReason "length". */
    answerLength: 60_000,
    heartbeatMs: 10_000,
    /** Turns one account may start in a minute (per process, best effort). */
    turnsPerMinute: 30,
    /**
     * How long a kept turn continues without a reader. Longer than the 35 s of silence after which a browser considers a connection lost, so
     * that it can resume.
     */
    graceMs: 45_000,
    /** How long a stopping service waits for the recording of kept turns. */
    recordingMs: 1_200,
    /**
     * How long an ended kept turn can be read again, and how many characters of such turns and of starts of conversations a process holds;
     * the oldest are evicted first.
     */
    kept: { ms: 600_000, characters: 16_777_216, startCharacters: 4_194_304 },
    /** How often an account may resume or release a turn in a minute (per process, best effort). */
    returnsPerMinute: 120,
    /** How long a cancellation waits for its request, and how many of an account a process remembers. */
    cancelledBeforeArrival: { ms: 10_000, perAccount: 100 },
  },
  /**
   * `unsupported`: marks of one citation that can be doubted; `missingWords`: what is named as missing of each.
   * `judged`: claims of an answer that are looked at; an ordinary one has some 20.
   */
  citation: { quoteLength: 300, perAnswer: 40, judged: 200, unsupported: 40, missingWords: 6, missingWordLength: 60 },
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
    /** A question of the learner's; the brief that it is answered from, in tokens; and how many of their words prompts are told. */
    askLength: 1_000,
    askTokens: 6_000,
    said: 4,
    /** Named where a goal is of another course. */
    otherCourses: 3,
    references: 12,
    objectives: 6,
    probes: 8,
    steps: 16,
    itemsPerStep: 8,
    replans: 3,
    planTries: 2,
    hints: 3,
    /** Of the rubric of a question that is answered in own words. */
    criteria: 6,
    /** Statements that one question shows, and the length of the id of one. */
    statements: 24,
    statementIdLength: 64,
    turns: 400,
    messages: 2_000,
    /** Questions of earlier sessions that one which goes on from them remembers. */
    askedBefore: 120,
    /** What a session showed that was not used for so long can be asked in others as if it were new: who still knows it remembers. */
    shownDays: 30,
    /** Characters of what sessions showed that a process keeps at hand. */
    keptShown: 16_000_000,
    sessions: 100,
    /** Passages put before the model in one call, in tokens with their tags, and how many. */
    passageTokens: 5_200,
    passages: 80,
    /** Of each objective, where many objectives would leave it fewer. */
    passagesEach: 16,
    teachingLength: 6_000,
    /** Earlier lessons on a step that a model is told not to repeat, the newest, and how often one that repeats them is asked for anew. */
    shownLessons: 4,
    lessonTries: 2,
    outputTokens: {
      probe: 5_000,
      plan: 3_000,
      verification: 1_500,
      teaching: 1_200,
      check: 1_800,
      grading: 1_500,
      look: 2_000,
      guess: 600,
      reply: 500,
    },
    /**
     * The second look at written questions: `guesses` calls that see them without the passages, how long all of it may take, and how many
     * of the statements that were shown it is told.
     */
    secondLook: { guesses: 3, ms: 20_000, revealed: 60 },
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
  conversations: { pageSize: 100, queryLength: 200, searchesPerMinute: 240 },
  /** An account's archive: how many in a minute (per process), and at once, and how long a reader may leave what was written before it is cut off. */
  archive: { perMinute: 10, atOnce: 1, slowMs: 60_000 },
  /** What an auditor may ask for in a minute, and how many sessions one page of a search has. */
  audit: { queryLength: 200, pageSize: 50, requestsPerMinute: 240 },
  /** Of an account's own stream (preferences, progress, review): its changes, and what they may hold. */
  learner: { changes: 200_000, hiddenModels: 200, reviewsKept: 400 },
  /**
   * Review. `retention`: the probability of recall at which a card comes back, `usual` unless chosen; below 0.8 more is forgotten than the
   * longer intervals save, above 0.97 reviews multiply (FSRS's own advice for desired retention). `newPerDay`: cards begun on one day.
   * `firstSteps`, `againSteps`: minutes after which
   * a card that is new, or was not known, comes again on the same day. `dayBeginsAt`: the hour of the learner's clock.
   */
  review: {
    retention: { min: 0.8, max: 0.97, usual: 0.9 },
    newPerDay: { min: 0, max: 50, usual: 10 },
    firstSteps: [10],
    againSteps: [10],
    dayBeginsAt: 4,
    forecastDays: 7,
    cards: 2_000,
    questionsPerCard: 6,
    answerPassages: 3,
  },
  /**
   * Reminders of due reviews: from and until which hour of the learner's day; how many without an answer before they pause; browsers of an
   * account; days of a forecast; how often due ones are looked for, and how many at a time.
   */
  reminders: {
    fromHour: 9,
    untilHour: 21,
    unanswered: 7,
    devices: 10,
    days: 31,
    endpointLength: 1_000,
    zoneLength: 64,
    requestsPerMinute: 20,
    everyMs: 60_000,
    atATime: 200,
  },
  annotation: {
    quoteLength: 1_000,
    contextLength: 100,
    noteLength: 8_000,
    changes: 2_000,
    /** Ink: points of a stroke, strokes of one change, and how far from its block a point may lie, in thousandths of the block's width. */
    strokePoints: 1_000,
    strokesPerChange: 10,
    strokesErased: 500,
    strokeWidth: 60,
    inkReach: 100_000,
  },
  /** Things deleted by one request to delete an account's data, the next one goes on; such requests of an account in a minute (per process); how long a page may take an interrupted deletion up unasked. */
  erasure: { entitiesPerRequest: 200, requestsPerMinute: 120, resumeMs: 900_000, waitMs: 10_000 },
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
    licenseLength: 200,
    /** Longest text of one passage of the search index. */
    passageLength: 1_400,
    /** Parts of a question (`core.question`). `partLength`: of one choice, item, side or accepted answer. */
    question: {
      choices: { min: 2, max: 12 },
      accepted: { min: 1, max: 20 },
      gaps: { min: 1, max: 12 },
      items: { min: 3, max: 8 },
      pairs: { min: 2, max: 8 },
      extra: { min: 0, max: 8 },
      rubric: { min: 2, max: 6 },
      hints: 6,
      about: 12,
      partLength: 2_000,
      answerLength: 4_000,
    },
  },

  /**
   * Publishing from the editor. `bodyBytes`: a request with a whole course; per minute and account (per process, best effort).
   * `renames`: what one rename of a collection may carry along.
   */
  publication: {
    bodyBytes: 33_554_432,
    perMinute: 30,
    assetsPerMinute: 240,
    readsPerMinute: 240,
    renames: 20_000,
    aliases: 2_000,
    /**
     * What the editor does about trouble that passes: requests in all before it leaves it to the author, the pause after the first, doubled
     * by each up to `mostMs` and shortened at random by up to half; and the longest `Retry-After` it waits for by itself.
     */
    retries: { tries: 6, firstMs: 1_000, mostMs: 20_000, retryAfterMostMs: 90_000 },
    /** How long one request may take. */
    requestMs: 60_000,
    /** Revisions of a course's history in one answer, the latest. */
    history: 200,
    /** Places of a draft that one question about tutored learners names. */
    changedPlaces: 2_000,
    /** Fewer learners than this are only "some": one is not told by whom a page is being learned. */
    learnersCounted: 5,
    /**
     * The question bank. `promptLength`: characters of a prompt or choice it lists, `codeLength`: of a prompt's code. Filters: `few`
     * learners; shares of right first tries that are too `easy` and too `hard` (the ends of Moodle's facility index); and the least
     * `discrimination` of a question that tells learners apart (Ebel and Frisbie 1991: below .20 is poor).
     */
    questions: { promptLength: 300, codeLength: 2_000, few: 20, easy: 0.95, hard: 0.2, discrimination: 0.2 },
  },
  /**
   * Drafts of courses: saved after so long a pause in editing; and what is taken in again from a file or the browser's store. A draft may
   * be longer than what can be published: it is work in progress, and its author is told.
   */
  courseDraft: { idleMs: 800, fileBytes: 134_217_728, textLength: 33_554_432, parts: 50_000 },
} as const;

/** How long a query waits for its read model to hold the asked-for position. */
export const readYourWritesMs = 2_000;
