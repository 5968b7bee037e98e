/** What EventStoreDB writes about its scavenges: one stream for each, and links to its first and last event in `$scavenges`. */
export const scavengesStream = "$scavenges";
export const scavengeStream = (id: string): string => `${scavengesStream}-${id}`;
export const scavengeEvents = {
  started: "$scavengeStarted",
  chunksDone: "$scavengeChunksCompleted",
  indexDone: "$scavengeIndexCompleted",
  completed: "$scavengeCompleted",
} as const;
