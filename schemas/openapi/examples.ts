/** Ids in the examples; whoever sends one puts ids of their own in their place. */
export const exampleIds = {
  courseId: "linear-maps",
  topicId: "0f6b8a52-9d5e-4f57-8f58-1c2a4e8d7b10",
  courseRevisionId: "3f1f5a60-7f0e-4c6b-9a1c-2f8f3a9b5e77",
  conversationId: "5f0e4d3a-64c7-4c4b-9d0b-1f5d7a2f9e01",
  sessionId: "b7a1d7c8-2f6f-4d4a-8a55-6a0c1f4e2d02",
  requestId: "9c2f9a3e-7a53-49a9-8f07-5a4d0f8e6b03",
} as const;

const model = { choice: "automatic" };
const at = "2026-11-21T09:30:00.000Z";
const { courseId, topicId, courseRevisionId, conversationId, sessionId, requestId } = exampleIds;
const about = (what: object): object => ({ schemaVersion: 1, requestId, ...what });

/** A request's body for each route that is asked most, as `METHOD path`: what the reference shows, and a test sends. */
export const requestExamples: Readonly<Record<string, object>> = {
  "POST /api/sync/push": {
    schemaVersion: 1,
    deviceId: "d3b0a5d2-1c9e-4b8e-9a3f-7e2c5f6a1b04",
    changes: [
      {
        changeId: "e4c1b6e3-2d0f-4c9f-8b40-8f3d607b2c05",
        domain: "conversation",
        entityId: conversationId,
        type: "started",
        at,
        data: { mode: "ask", model, references: [], title: "What a linear map does" },
      },
    ],
  },
  "POST /api/ai/ask": about({ conversationId: null, message: "What is a linear map?", history: [], references: [], model }),
  "POST /api/ai/tutor/goal": { schemaVersion: 1, courseId, goal: "Know which directions a map leaves alone" },
  "POST /api/ai/tutor/start": about({
    conversationId,
    courseId,
    goal: "Know which directions a map leaves alone",
    references: [],
    model,
  }),
  "POST /api/ai/tutor/turn": about({ sessionId, expectedVersion: 0, courseRevisionId, action: { type: "pause" } }),
  "POST /api/visual-explainers/storyboard": about({ courseId, topicId, emphasis: "intuition", model }),
  "POST /api/account/erase": about({ confirmed: true }),
};
