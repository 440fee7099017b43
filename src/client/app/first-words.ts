/** First heading for new visitors; index.html contains the same text, so that it shows before any script runs. */
export const FIRST_HEADING = "Your rules, traded for you, from a vault only you can empty";
export const FIRST_LINE =
  "Say when to buy and sell. An agent watches the market and trades it on Solana.";
