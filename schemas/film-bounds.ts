/**
 * Films of a topic. Apart from `bounds`, because every page loads that. `scenes`: title and closing question among them. `timing`: words spoken in a minute, and the seconds a layout is held
 * beyond its words. `perDay`: storyboards drawn up for an account in a day (UTC). `attempts`: tries of a render, the pause after the first
 * failure, doubled by each. `leaseSeconds`: how long a worker that says nothing keeps its job.
 */
export const filmBounds = {
  scenes: { min: 6, max: 9 },
  seconds: { min: 30, max: 60 },
  timing: {
    wordsPerMinute: 150,
    /**
     * The average of adults reading English non-fiction in silence: M. Brysbaert, How many words do we read per minute? A review and
     * meta-analysis of reading rate, Journal of Memory and Language 109 (2019) 104047. A word is reckoned as five signs, as is usual where
     * speeds of reading and typing are compared; so code and labels can be reckoned with, too.
     */
    readWordsPerMinute: 238,
    signsPerWord: 5,
    sceneSecondsLeast: 2.5,
    /** A scene is seen before it is spoken of. */
    leadSeconds: 0.25,
    /** Behind the words of a scene in a film that is heard, at least; and between them and those of the next, at most. */
    silence: { least: 0.7, most: 2.4 },
    holds: {
      title: 1.5,
      points: 0.8,
      formula: 1.2,
      diagram: 1.2,
      build: 1.4,
      code: 1.2,
      compare: 1,
      plot: 1.2,
      plane: 1.6,
      "number-line": 1.6,
      derive: 1.6,
      timeline: 1.2,
      forgetting: 1.4,
      trace: 1.8,
      table: 1.4,
      figure: 1.6,
      recap: 1,
      question: 3,
    },
  },
  headingLength: 80,
  /** Of a title scene: what stands large in three lines, and is read at a glance. */
  titleLength: 64,
  labelLength: 90,
  choiceLength: 120,
  questionLength: 200,
  narrationLength: 400,
  codeLength: 800,
  texLength: 200,
  expressionLength: 80,
  points: 5,
  sidePoints: 4,
  terms: 6,
  nodes: 9,
  edges: 14,
  /** How often a part of a growing diagram is seen from near. */
  focus: 4,
  steps: 5,
  functions: 3,
  marks: 4,
  /** Of a plane: `extent` in units from its middle to the nearer edge; coordinates and entries of a matrix at most `coordinate`. */
  plane: { extent: { min: 1, max: 12 }, coordinate: 20, vectors: 4, points: 8, polygons: 3, corners: 6, curves: 2, tangents: 2, maps: 2 },
  /** Of a line of numbers: its ends; how many of each thing; how near it is seen at least. */
  line: { coordinate: 1_000, intervals: 3, sums: 2, jumps: 6, sequences: 2, terms: { min: 3, max: 16 }, radius: 0.001 },
  /** Of an axis of time: how far it reaches; `marks` of each lane. */
  timeline: { until: 400, lanes: 3, marks: 12, kinds: 3, recalls: 6, stability: 400, growth: 10 },
  /** Words of a narration at which something appears. */
  cueLength: 60,
  table: { columns: 4, rows: 8 },
  /**
   * Of a figure: the bytes and pixels of its picture, and how long its description may be; how far a camera goes in, and the smallest side
   * of a part, as a share of the picture's; of how many `words` in it a model is told.
   */
  figure: {
    bytes: 2_097_152,
    pixels: 8_388_608,
    altLength: 400,
    words: 24,
    parts: 6,
    zooms: 4,
    callouts: 5,
    zoom: { least: 1.15, most: 6 },
    side: 0.05,
  },
  derivation: { min: 2, max: 5 },
  choices: 4,
  sourcesPerScene: 4,
  quotesPerScene: 4,
  passages: 64,
  passageTokens: 6_000,
  outputTokens: { storyboard: 9_000, review: 1_500 },
  findings: 40,
  findingLength: 300,
  corrections: 50,
  correctionLength: 1_000,
  films: 12,
  jobsListed: 100,
  correctionsListed: 200,
  perDay: 20,
  triesPerDay: 80,
  storyboardsPerMinute: 30,
  requestsPerMinute: 60,
  streamsPerAccount: 6,
  attempts: { most: 4, firstMs: 2_000, mostMs: 60_000 },
  leaseSeconds: 30,
  /** How long a video with a voice waits while no worker that can speak is known. */
  speakerMs: 120_000,
  /** The shortest time between two recorded steps of progress within a stage. */
  progressMs: 1_000,
  /** After this long without progress, the remaining time is no longer shown. */
  quietMs: 5_000,
  /** How often expired leases are swept, and objects that no video needs. */
  sweepJobsEveryMs: 5_000,
  sweepObjectsEveryMs: 600_000,
  uploadsAtOnce: 2,
  /** For how many workers one process exports figures, and how long after a worker's last request. */
  figures: { workers: 64, forMs: 60_000 },
  queuedPerAccount: 10,
  filmMs: 90_000,
  artifactBytes: 67_108_864,
  /** Processor time that validating the layout of a storyboard may take. */
  layoutMs: 8_000,
  /** Previews of a storyboard: requests of an account; the length of one placed scene as JSON, and of all that a process keeps; a pause in typing. */
  preview: { perMinute: 120, atOnce: 2, sceneLength: 1_500_000, cacheLength: 8_388_608, pauseMs: 400 },
  heartbeatMs: 15_000,
  /** Frames per second, and the most frames between two that are drawn while nothing moves. */
  pictures: { perSecond: 30, apart: 30 },
  captions: { lines: 2, lineLength: 42, charactersPerSecond: 17, charactersPerSecondMost: 20 },
  /**
   * What one render may use (`folderBytes`: of the disk, with the voice it is given), and what a worker keeps of scenes it has drawn.
   */
  render: { memoryBytes: 1_073_741_824, ms: 300_000, speechMs: 60_000, folderBytes: 536_870_912, cacheBytes: 536_870_912 },
} as const;
