/** Ids in the examples of requests; a caller puts real ones in their place. */
export const exampleIds = {
  courseId: "linear-maps",
  topicId: "0f6b8a52-9d5e-4f57-8f58-1c2a4e8d7b10",
  courseRevisionId: "3f1f5a60-7f0e-4c6b-9a1c-2f8f3a9b5e77",
  conversationId: "5f0e4d3a-64c7-4c4b-9d0b-1f5d7a2f9e01",
  sessionId: "b7a1d7c8-2f6f-4d4a-8a55-6a0c1f4e2d02",
  requestId: "9c2f9a3e-7a53-49a9-8f07-5a4d0f8e6b03",
} as const;

/** Of a day that is far away, so that nobody is reminded. */
export const exampleForecast = { zone: "Europe/Berlin", language: "en", day: 99_000, left: [0, 3, 5] } as const;

/** Its keys are those of an example in RFC 8291. */
export const exampleSubscription = {
  endpoint: "https://push.example/send/1",
  keys: {
    p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
    auth: "BTBZMqHH6r4Tts7J_aSIgg",
  },
} as const;
