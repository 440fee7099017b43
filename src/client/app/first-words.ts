/** Heading for new visitors; index.html contains the same text, so that it shows before any script runs. */
export const FIRST_HEADING = "From alert to trade in six steps";
export const FIRST_LINE =
  "Your charts send alerts, your agent trades them, your wallet keeps the keys.";
