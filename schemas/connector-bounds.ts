/**
 * Assistants at `/mcp`. Requests, and of them changes, in a minute for each account and assistant; texts of a source in one answer;
 * `planTicketSeconds`: how long a proposed plan waits for its verification; assistants an account may have connected.
 */
export const connectorBounds = {
  requestsPerMinute: 180,
  changesPerMinute: 60,
  /** Assistants that register at the embedded provider, all together: it cannot tell who they are. */
  registrationsPerMinute: 30,
  bodyBytes: 262_144,
  searchResults: { usual: 8, most: 20 },
  readCharacters: 24_000,
  messages: { usual: 10, most: 40 },
  topics: 500,
  planTicketSeconds: 900,
  clientIdLength: 1_000,
  clientNameLength: 80,
  assistants: 100,
  /** How often an account may look at them, or change what they may do, in a minute. */
  looksPerMinute: 120,
  closingMs: 1_000,
} as const;
