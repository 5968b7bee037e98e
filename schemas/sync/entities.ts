/** The one entity of the domain `preferences`. Apart from the schemas, so that a browser needs none of them for its name. */
export const workspaceEntity = "workspace";
/** The change by which devices learn that the account's own stream was erased, in the domain `preferences`. */
export const erasedChange = "erased";
