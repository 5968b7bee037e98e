import fc from "fast-check";

/**
 * Property tests try the same cases every time, so that a failure is of the change that made it. `PROPERTY_SEED=random` looks further, and
 * `PROPERTY_SEED=<number>` tries what a failure has named.
 */
const { PROPERTY_SEED: given = "20261121" } = process.env;
if (given !== "random") fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(given) });
