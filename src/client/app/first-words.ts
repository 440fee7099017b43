/** What a newcomer reads first: drawn with the page's own markup, before any script, and then by the page. */
export const FIRST_HEADING = "From alert to trade in six steps";
export const FIRST_LINE =
  "Your charts send alerts, your agent trades them, your wallet keeps the keys.";
