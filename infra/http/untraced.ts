/** What is asked again and again by machines and open pages, and would bury everything else. */
const asked =
  /^\/(?:healthz|readyz|status|metrics)$|^\/api\/courses\/[^/]+\/revision$|^\/api\/visual-explainers\/worker\/(?:claim|jobs\/[^/]+\/lease)$/;

/** Whether requests for a path are worth a trace. */
export const isTraced = (path: string): boolean => !asked.test(path);
