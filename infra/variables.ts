import { modelId } from "@colloquy/schemas/ask/models.ts";
import { isOrigin } from "@colloquy/schemas/embed/embed.ts";
import { workerVariables } from "@colloquy/schemas/explainers/worker-settings.ts";
import { z } from "zod";
import { demonstrationCourses } from "./demo/courses.ts";
import { wrongAddress } from "./event-store/address.ts";
import { isProxy } from "./http/trusted-proxies.ts";
import { isKey } from "./object-store/store.ts";
import { flag, headerList, inner, list, port, text, variable } from "./variable.ts";

/** The one table of environment variables; `docs/reports/configuration.md` is generated from here by `npm run docs:configuration`. */
export const variables = {
  NODE_ENV: variable(
    z.enum(["development", "production", "test"]).default("development"),
    "`production` refuses everything that exists for demonstration only: demo accounts, the demonstration model, the embedded identity provider.",
  ),
  PORT: variable(port.default(8080), "The one address everything is served at."),
  HOST: variable(text.default("127.0.0.1"), "The interface the front door listens on."),
  PUBLIC_URL: variable(
    z.url({ protocol: /^https?$/ }).optional(),
    "The address people type, when it differs from `http://localhost:<PORT>` (behind a proxy, say).",
    { shownDefault: "`http://localhost:<PORT>`" },
  ),
  TRUSTED_PROXIES: variable(
    list
      .refine((proxies) => proxies.every(isProxy), "expected addresses or networks such as 10.0.3.7 or 10.42.0.0/16, separated by commas")
      .default([]),
    "Addresses or networks, comma-separated, whose `x-forwarded-…` headers are believed besides this machine's: those of a TLS proxy, and for the other services those of front doors, where they run elsewhere. Nobody else may be able to send from there.",
    { shownDefault: "this machine" },
  ),
  ADDRESS_REQUESTS_PER_MINUTE: variable(
    z.coerce.number().int().min(0).max(1_000_000).default(6_000),
    "Requests one address (of IPv6: one /64) may send in a minute; more are answered 429 with `retry-after`. A school behind one address needs some 40 a minute for each open page. Behind a proxy (`TRUSTED_PROXIES`), the address it names counts. `0`: no limit.",
  ),
  DATA_DIR: variable(text.default(".data"), "Where the embedded parts keep what is theirs: events, read models, course objects, keys."),
  LOG_LEVEL: variable(
    z.enum(["debug", "info", "warn", "error", "silent"]).default("info"),
    "How much the services log (JSON lines on standard error).",
  ),
  EMBED_ORIGINS: variable(
    list.refine((origins) => origins.every(isOrigin), "expected origins such as https://school.example, separated by commas").default([]),
    "Origins, comma-separated, whose pages may hold elements of ours: they are given tokens of learners who sign in there. See docs/teach/embedding.md.",
    { shownDefault: "none" },
  ),

  OFFLINE_READING: variable(
    flag.default("on"),
    "Whether browsers keep the workspace and the course pages somebody has read, so that both open without a connection. `off` also takes away what browsers have kept, at their next visit.",
  ),

  METRICS_TOKEN: variable(
    z.string().min(16).optional(),
    "Opens `GET /metrics` to whoever sends it as a bearer token. At least 16 characters. Without it the figures are open in development and not there in production.",
    { secret: true },
  ),

  OTEL_EXPORTER_OTLP_ENDPOINT: variable(
    z
      .url({ protocol: /^https?$/ })
      .refine(
        (value) => URL.parse(value)?.username === "" && URL.parse(value)?.password === "",
        "put what signs in into OTEL_EXPORTER_OTLP_HEADERS",
      )
      .transform((value) => value.replace(/\/+$/, ""))
      .optional(),
    "Where traces are sent, over OTLP/HTTP (JSON), without `/v1/traces`: a collector, Tempo or Jaeger, such as `http://127.0.0.1:4318`. See docs/run/monitoring.md.",
    { shownDefault: "no traces are kept" },
  ),
  OTEL_EXPORTER_OTLP_HEADERS: variable(
    headerList.optional(),
    "Headers that are sent along, as `name=value`, comma-separated, values percent-encoded: what the receiver asks for to let somebody in.",
    { secret: true },
  ),
  OTEL_SERVICE_NAME: variable(
    text.optional(),
    "How a service calls itself in traces. Beside the launcher's parts, it stands before each one's own name: `school` makes `school-command-api`.",
    { shownDefault: "`command-api`, `front-door` and so on" },
  ),
  OTEL_TRACES_SAMPLER_ARG: variable(
    z.coerce.number().min(0).max(1).default(1),
    "Of the traces that begin here, the share that is kept, from 0 to 1. One that a trusted proxy began is kept as that says.",
  ),

  EVENTSTORE_PORT: variable(port.default(2113), "Port of the embedded event store. `0` picks a free one."),
  EVENTSTORE_EMBEDDED_TLS: variable(
    flag.default("off"),
    "Whether the embedded event store speaks TLS and asks for users, as EventStoreDB does: with a certificate, an `admin` and an `ops` of its own, made at the first start. See docs/run/stores.md.",
  ),
  EVENTSTORE_URL: variable(
    z
      .string()
      .check(({ value, issues }) => {
        const message = wrongAddress(value);
        if (message) issues.push({ code: "custom", input: "", message });
      })
      .optional(),
    "An EventStoreDB to use instead of the embedded event store.",
    { shownDefault: "embedded", secret: true },
  ),
  DATABASE_URL: variable(
    z
      .string()
      .regex(/^(postgres(ql)?|sqlite):\/\//, "expected postgres://… or sqlite://<file>")
      .refine(
        (value) => value.startsWith("sqlite:") || URL.canParse(value),
        "cannot be read: percent-encode what is special in the password (: as %3A, @ as %40, / as %2F, # as %23), and check host and port",
      )
      .optional(),
    "Where the read models live: a PostgreSQL, or another SQLite file.",
    { shownDefault: "`sqlite://<DATA_DIR>/read-models.db`", secret: true },
  ),
  S3_ENDPOINT: variable(
    z
      .url({ protocol: /^https?$/ })
      .transform((value) => value.replace(/\/+$/, ""))
      .optional(),
    "The address of an S3 that keeps published courses instead of a folder, without the bucket: `https://s3.eu-central-1.amazonaws.com`, say. It must honour conditional writes; the program refuses one that does not.",
    { shownDefault: "`<DATA_DIR>/objects`" },
  ),
  S3_BUCKET: variable(
    z
      .string()
      .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{1,61}[A-Za-z0-9]$/, "expected the name of a bucket")
      .optional(),
    "The bucket, which must exist. Needed with `S3_ENDPOINT`.",
  ),
  S3_REGION: variable(text.optional(), "The bucket's region, as requests are signed for it (`auto` for R2).", {
    shownDefault: "`us-east-1`",
  }),
  S3_ACCESS_KEY_ID: variable(
    text.optional(),
    "Access key that may get, put, delete and list objects of the bucket. Needed with `S3_ENDPOINT`.",
    { secret: true },
  ),
  S3_SECRET_ACCESS_KEY: variable(text.optional(), "Its secret. Needed with `S3_ENDPOINT`.", { secret: true }),
  S3_PREFIX: variable(
    z
      .string()
      .transform((value) => value.replaceAll(/^\/+|\/+$/g, ""))
      .refine((value) => value.length <= 100 && isKey(value), "expected letters, digits, `.`, `_`, `-` and `/`, at most 100")
      .optional(),
    "Stands before every key, so that a bucket can be shared.",
  ),
  S3_ADDRESSING: variable(
    z.enum(["path", "virtual-host"]).optional(),
    "Whether the bucket is the first part of the path or of the host name.",
    { shownDefault: "`virtual-host` at amazonaws.com, else `path`" },
  ),

  KAFKA_BROKERS: variable(
    list
      .refine((brokers) => brokers.every((broker) => /^[^\s:/]+:\d{1,5}$/.test(broker)), "expected host:port, separated by commas")
      .optional(),
    "Apache Kafka brokers (`host:port`, comma-separated). When set, a relay copies every event to topics and the projections read those, so that any number of them can share the work. See docs/run/kafka.md.",
    { shownDefault: "projections read the event store" },
  ),
  KAFKA_TOPIC_PREFIX: variable(
    z
      .string()
      .regex(/^[A-Za-z0-9_-]{1,40}$/, "expected letters, digits, `_` and `-`, at most 40")
      .default("colloquy"),
    "Topics and consumer groups begin with it: `<prefix>.conversation`, say.",
  ),
  KAFKA_PARTITIONS: variable(
    z.coerce.number().int().min(1).max(100).default(6),
    "Partitions of each topic: how many processes can share a projection. Fixed once the topics exist, because it decides where a stream's events are.",
  ),
  KAFKA_REPLICATION: variable(z.coerce.number().int().min(1).max(10).optional(), "Copies of each partition.", {
    shownDefault: "the brokers' `default.replication.factor`",
  }),
  KAFKA_RETENTION_HOURS: variable(
    z.coerce
      .number()
      .int()
      .min(1)
      .max(24 * 30)
      .default(24),
    "How long the topics keep a copy of an event, in hours. A consumer that was away for longer reads what it missed from the event store.",
  ),
  KAFKA_TLS: variable(flag.default("off"), "Whether the brokers are spoken to over TLS."),
  KAFKA_TLS_CA: variable(text.optional(), "A file with the certificates (PEM) that vouch for the brokers.", {
    shownDefault: "the system's",
  }),
  KAFKA_SASL_MECHANISM: variable(
    z.enum(["plain", "scram-sha-256", "scram-sha-512"]).optional(),
    "How this program signs in at the brokers. Needs user name and password.",
    { shownDefault: "no sign-in" },
  ),
  KAFKA_SASL_USERNAME: variable(text.optional(), "User name at the brokers."),
  KAFKA_SASL_PASSWORD: variable(text.optional(), "Password at the brokers.", { secret: true }),

  COMMAND_API_PORT: variable(port.default(0), "Inner port of the command API. `0` picks a free one."),
  QUERY_API_PORT: variable(port.default(0), "Inner port of the query API. `0` picks a free one."),
  IDENTITY_PORT: variable(port.default(0), "Inner port of the embedded identity provider. `0` picks a free one."),
  DEMO_MODEL_PORT: variable(port.default(0), "Inner port of the demonstration model. `0` picks a free one."),
  PROJECTIONS_PORT: variable(port.default(0), "Inner port where the projections tell their position. `0` picks a free one."),
  RELAY_PORT: variable(port.default(0), "Inner port where the relay to Kafka tells its position. `0` picks a free one."),
  FRONT_DOOR_STATUS_PORT: variable(
    port.default(0),
    "Inner port where the front door tells its figures and that it lives; nothing of it is at the address people use. `0` picks a free one.",
  ),
  SERVICE_HOST: variable(
    text.default("127.0.0.1"),
    "The interface that inner ports are opened on where services are started one by one. Another than loopback only where nobody but the other services reaches it: a network of containers. See docs/run/install.md.",
  ),
  COMMAND_API_URL: variable(
    inner.optional(),
    "Where the command API is, for the front door and the query API, when services run on several machines or in containers: `http://command-api:8101`, say. The launcher uses ports alone.",
    { shownDefault: "`http://127.0.0.1:<COMMAND_API_PORT>`" },
  ),
  QUERY_API_URL: variable(inner.optional(), "Where the query API is, likewise.", { shownDefault: "`http://127.0.0.1:<QUERY_API_PORT>`" }),
  PROJECTIONS_URL: variable(inner.optional(), "Where the projections tell their figures, for `/metrics`, likewise.", {
    shownDefault: "`http://127.0.0.1:<PROJECTIONS_PORT>`",
  }),
  RELAY_URL: variable(inner.optional(), "Where the relay to Kafka tells its position, for `/readyz` and `/metrics`, likewise.", {
    shownDefault: "`http://127.0.0.1:<RELAY_PORT>`",
  }),
  FRONT_DOOR_STATUS_URL: variable(inner.optional(), "Where the front door tells its figures, for `/metrics`, likewise.", {
    shownDefault: "`http://127.0.0.1:<FRONT_DOOR_STATUS_PORT>`",
  }),

  SESSION_SECRET: variable(z.string().min(32).optional(), "Signs session cookies. At least 32 characters.", {
    shownDefault: "made once, kept in `<DATA_DIR>/secrets`",
    secret: true,
  }),
  SESSION_HOURS: variable(
    z.coerce
      .number()
      .int()
      .min(1)
      .max(24 * 90)
      .default(24 * 7),
    "How long a sign-in lasts, in hours.",
  ),
  ACCOUNT_SECRET: variable(
    z.string().min(32).optional(),
    "Makes account ids from what the identity provider calls a person. At least 32 characters, the same on every machine, never changed: with another value everybody gets a new, empty account.",
    { shownDefault: "made once, kept in `<DATA_DIR>/secrets`", secret: true },
  ),
  LEDGER_KEYS_FILE: variable(
    text.optional(),
    "The file with the keys that tutoring ledgers are signed with, the same for every command and query API. It must exist: copy it from where it was made. See docs/run/backup.md.",
    { shownDefault: "made once, kept in `<DATA_DIR>/secrets/ledger-keys`" },
  ),
  OIDC_ISSUER: variable(z.url().optional(), "An OpenID provider to use instead of the embedded one.", { shownDefault: "embedded" }),
  OIDC_CLIENT_ID: variable(text.optional(), "Client id at that provider."),
  OIDC_CLIENT_SECRET: variable(text.optional(), "Client secret at that provider.", { secret: true }),
  OIDC_ROLES_CLAIM: variable(text.default("roles"), "The claim that lists a person's roles (`learner`, `owner`, `auditor`)."),

  CONNECTOR: variable(flag.default("on"), "Whether assistants of learners may connect at `/mcp`. See docs/run/assistants.md."),
  CONNECTOR_AUDIENCE: variable(
    text.optional(),
    "What an access token must name as its audience to be taken at `/mcp`, as the identity provider writes it.",
    { shownDefault: "`<PUBLIC_URL>/mcp`" },
  ),
  CONNECTOR_HOSTS: variable(
    list.optional(),
    "Host names, comma-separated and without ports, that `/mcp` answers to. Other names are refused, so that no page can have its own name point here.",
    { shownDefault: "that of `PUBLIC_URL`, `localhost`, `127.0.0.1`, `[::1]`" },
  ),
  CONNECTOR_ORIGINS: variable(
    list
      .refine((origins) => origins.every(isOrigin), "expected origins such as https://assistant.example, separated by commas")
      .default([]),
    "Origins, comma-separated, of assistants that run in a browser. Programs send no origin and need none.",
    { shownDefault: "none" },
  ),
  CONNECTOR_VERIFIER: variable(
    z.enum(["own", "assistant"]).optional(),
    "Who looks a second time at a plan that an assistant proposes: a model of this installation, or the assistant itself in a call of its own.",
    { shownDefault: "`own` where a provider credential is set, else `assistant`" },
  ),

  DEMO_MODEL: variable(
    flag.optional(),
    "The demonstration model, which needs no network. On unless a provider credential is set or `NODE_ENV=production`.",
    { shownDefault: "see text" },
  ),
  DEMO_MODEL_WORD_MS: variable(
    z.coerce.number().int().min(0).max(1_000).default(18),
    "Pause between two words of the demonstration model's answers, in milliseconds.",
  ),
  DEMO_MODEL_URL: variable(
    z.url({ protocol: /^https?$/ }).optional(),
    "Inner address of the demonstration model (ending in `/v1`), set by the launcher for the other processes.",
    { shownDefault: "set by the launcher" },
  ),
  DEMO_COURSES: variable(flag.default("on"), "Whether the demonstration courses are published at the first start."),
  SUPPORT_CHECK_MODEL: variable(
    z.union([z.literal("automatic"), modelId], { error: "expected automatic, or a model such as p2/<model>" }).optional(),
    "A model that looks once more at the cited sentences of an answer and marks what their passages do not carry: `automatic`, or one of the catalogue (`p2/<model>`). One call of at most 10 s after the text is written; when it fails, the check by words stands.",
    { shownDefault: "the check by words alone" },
  ),
  PROVIDER_CATALOG: variable(text.optional(), "A JSON file that says which service and models the slots P1 to P7 mean.", {
    shownDefault: "`infra/provider-catalog.json`",
  }),
  P1_API_KEY: variable(text.optional(), "Credential of slot P1; enables its models.", { secret: true }),
  P2_API_KEY: variable(text.optional(), "Credential of slot P2.", { secret: true }),
  P2_ALTERNATE_API_KEY: variable(text.optional(), "Read when `P2_API_KEY` is not set.", { secret: true }),
  P3_API_KEY: variable(text.optional(), "Credential of slot P3.", { secret: true }),
  P4_API_KEY: variable(text.optional(), "Credential of slot P4.", { secret: true }),
  P5_API_KEY: variable(text.optional(), "Credential of slot P5 (experimental, by pin only).", { secret: true }),
  P6_API_KEY: variable(text.optional(), "Credential of slot P6 (experimental, by pin only).", { secret: true }),
  P6_ALTERNATE_API_KEY: variable(text.optional(), "Read when `P6_API_KEY` is not set.", { secret: true }),
  P7_API_KEY: variable(text.optional(), "Credential of slot P7 (experimental, by pin only).", { secret: true }),
  P1_MODEL_ID: variable(text.optional(), "Another default model for P1, and likewise for each slot."),
  P1_MODEL_NAME: variable(text.optional(), "Its name in the picker, and likewise for each slot."),
  P2_MODEL_ID: variable(text.optional(), "As P1_MODEL_ID."),
  P2_MODEL_NAME: variable(text.optional(), "As P1_MODEL_NAME."),
  P3_MODEL_ID: variable(text.optional(), "As P1_MODEL_ID."),
  P3_MODEL_NAME: variable(text.optional(), "As P1_MODEL_NAME."),
  P4_MODEL_ID: variable(text.optional(), "As P1_MODEL_ID."),
  P4_MODEL_NAME: variable(text.optional(), "As P1_MODEL_NAME."),
  P5_MODEL_ID: variable(text.optional(), "As P1_MODEL_ID."),
  P5_MODEL_NAME: variable(text.optional(), "As P1_MODEL_NAME."),
  P6_MODEL_ID: variable(text.optional(), "As P1_MODEL_ID."),
  P6_MODEL_NAME: variable(text.optional(), "As P1_MODEL_NAME."),
  P7_MODEL_ID: variable(text.optional(), "As P1_MODEL_ID."),
  P7_MODEL_NAME: variable(text.optional(), "As P1_MODEL_NAME."),
  P5_BASE_URL: variable(z.url().optional(), "Another address for slot P5."),
  P6_BASE_URL: variable(z.url().optional(), "Another address for slot P6."),
  P7_BASE_URL: variable(z.url().optional(), "Another address for slot P7."),

  RENDER_WORKERS: variable(
    workerVariables.RENDER_WORKERS,
    "Whether a worker that makes films runs beside the program, and how many it makes at once. `off` where workers run elsewhere. See docs/run/videos.md.",
  ),
  RENDER_WORKER_TOKEN: variable(
    workerVariables.RENDER_WORKER_TOKEN,
    "What a render worker shows to be let in, the same there and here. At least 32 characters.",
    { shownDefault: "made at each start, for the worker beside the program", secret: true },
  ),
  RENDER_API_URL: variable(
    workerVariables.RENDER_API_URL,
    "Read by render workers: where the program is, such as `https://colloquy.example`.",
    {
      shownDefault: "set by the launcher",
    },
  ),
  RENDER_FOLDER: variable(
    workerVariables.RENDER_FOLDER,
    "Read by render workers: the folder for films in the making and for scenes that were drawn before, one for each worker.",
    { shownDefault: "`<DATA_DIR>/render`" },
  ),
  SPEECH_URL: variable(
    workerVariables.SPEECH_URL,
    "Read by render workers: an OpenAI-compatible speech service (ending in `/v1`) that speaks films. What is spoken goes there.",
    { shownDefault: "`espeak-ng` where it is installed, else films are silent" },
  ),
  SPEECH_API_KEY: variable(workerVariables.SPEECH_API_KEY, "Its credential.", { secret: true }),
  SPEECH_MODEL: variable(workerVariables.SPEECH_MODEL, "Its model.", { shownDefault: "`tts-1`" }),
  SPEECH_VOICE: variable(workerVariables.SPEECH_VOICE, "Its voice.", { shownDefault: "`alloy`" }),
  EXPLAINER_COURSE_IDS: variable(
    list.default(() => demonstrationCourses.map(({ courseId }) => courseId)),
    "Courses, comma-separated, whose topics may be explained by films; `*` stands for every course. See docs/run/videos.md.",
    { shownDefault: "the demonstration courses" },
  ),
  EXPLAINER_VOICES: variable(flag.default("off"), "Whether films with a voice are offered. Some worker must be able to speak."),

  PUBLICATION_EDITOR_COURSE_IDS: variable(list.optional(), "Courses the editor may publish.", {
    shownDefault: "in development every object-storage course, else none",
  }),
  PUBLIC_OBJECT_STORE_COURSE_IDS: variable(list.optional(), "Courses that come from the object store.", {
    shownDefault: "in development every object-storage course, else none",
  }),
} as const;
