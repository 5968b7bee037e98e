/**
 * Names the account a page acts for. A request whose session belongs to another is answered as if nobody were signed in, so that a
 * page left open never reads or writes under the account that signed in after it.
 */
export const accountHeader = "x-colloquy-account";

/** Sent with the value `1` by everything that publishes: no form and no other site's page can send it. */
export const publishHeader = "x-course-publish";
