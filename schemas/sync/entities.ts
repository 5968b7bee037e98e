/** The one entity of the domain `preferences`. Apart from the schemas, so that a browser needs none of them for its name. */
export const workspaceEntity = "workspace";
