/** What an agent with play money is judged by before real money, in the order it is shown. */
export const READINESS_LINES = ["lived", "earned", "parted", "overfit", "machine"] as const;

export type ReadinessLineName = (typeof READINESS_LINES)[number];

/** Ranges of the bar's values, and what holds until the owner sets another. Percent where named so. */
export const READINESS_RANGES = {
  days: { least: 0, most: 365, usual: 14 },
  trades: { least: 0, most: 1_000, usual: 20 },
  /** Deepest fall of the account; an agent's own limit counts where it is lower. */
  fallPercent: { least: 1, most: 90, usual: 20 },
  /** Share of the trades that the simulation has too. */
  matchedPercent: { least: 0, most: 100, usual: 95 },
  /** Chance that the simulated result is more than luck. */
  luckPercent: { least: 0, most: 99, usual: 95 },
} as const;

/** The bar an owner wants cleared before an agent trades with real money. */
export type ReadinessBar = { readonly [Name in keyof typeof READINESS_RANGES]: number };

export const READINESS_BAR_NAMES = Object.keys(READINESS_RANGES) as readonly (keyof ReadinessBar)[];

export const USUAL_READINESS_BAR = Object.fromEntries(
  READINESS_BAR_NAMES.map((name) => [name, READINESS_RANGES[name].usual]),
) as ReadinessBar;

/** Figures of an agent that the bar is held against. Shares: 0.1 is ten percent; null where unknown. */
export interface ReadinessFigures {
  /** Whole days since its first money was booked. */
  readonly days: number;
  readonly trades: number;
  readonly totalReturn: number | null;
  readonly holdingReturn: number | null;
  /** Deepest fall from a peak. */
  readonly fall: number | null;
  /** The owner's own limit on it; null without one. */
  readonly fallLimit: number | null;
  /** Trades compared with the simulation, and those both did in the same bar. */
  readonly compared: number;
  readonly matched: number;
  /** Middle difference of the prices, and the agent's slippage, in basis points. */
  readonly medianBps: number | null;
  readonly slippageBps: number;
  /** Deflated Sharpe ratio of the simulated year, the number of variants tried, and its kept-out part. */
  readonly luck: number | null;
  readonly tries: number | null;
  readonly keptOutReturn: number | null;
  readonly missedAlerts: number;
  readonly waitedExits: number;
  readonly hoursWithoutPrices: number;
}

/** One line of an agent's readiness with its figures in words. */
export interface ReadinessLine {
  readonly line: ReadinessLineName;
  readonly isMet: boolean;
  readonly text: string;
}

/** Text of a ratio, a difference in basis points or a number of hours; none of them is money. */
const oneDecimal = (value: number): string => `${Math.round(value * 10) / 10 + 0}`;

const percent = (share: number) => `${oneDecimal(share * 100)}%`;

const plural = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;

/** Holds an agent's figures against a bar. */
export function readinessOf(figures: ReadinessFigures, bar: ReadinessBar): ReadinessLine[] {
  const lines = { lived, earned, parted, overfit, machine } as const;
  return READINESS_LINES.map((line) => ({ line, ...lines[line](figures, bar) }));
}

type Judged = Omit<ReadinessLine, "line">;

const lived = ({ days, trades }: ReadinessFigures, bar: ReadinessBar): Judged => ({
  isMet: days >= bar.days && trades >= bar.trades,
  text: `${days} of ${plural(bar.days, "day", "days")}, ${trades} of ${plural(bar.trades, "closed trade", "closed trades")}`,
});

function earned(figures: ReadinessFigures, bar: ReadinessBar): Judged {
  const { totalReturn, holdingReturn, fall, fallLimit } = figures;
  const most = Math.min(bar.fallPercent / 100, fallLimit ?? 1);
  const made = totalReturn === null ? "return not known" : `made ${percent(totalReturn)}`;
  const held = holdingReturn === null ? "" : `, holding ${percent(holdingReturn)}`;
  const fell = fall === null ? "fall not known" : `fell ${percent(fall)}`;
  return {
    isMet: fall !== null && fall <= most,
    text: `${fell}, ${percent(most)} allowed; ${made}${held}`,
  };
}

function parted(figures: ReadinessFigures, bar: ReadinessBar): Judged {
  const { compared, matched, medianBps, slippageBps } = figures;
  if (compared === 0)
    return { isMet: false, text: "no trade could be compared with its simulation" };
  const share = matched / compared;
  const price =
    medianBps === null
      ? "no price to compare"
      : `prices worse by ${oneDecimal(medianBps)} bp in the middle, slippage allows ${slippageBps}`;
  return {
    isMet: share * 100 >= bar.matchedPercent && medianBps !== null && medianBps <= slippageBps,
    text: `${matched} of ${plural(compared, "trade", "trades")} as simulated: ${percent(share)}, bar ${bar.matchedPercent}%; ${price}`,
  };
}

function overfit(figures: ReadinessFigures, bar: ReadinessBar): Judged {
  const { luck, tries, keptOutReturn } = figures;
  if (luck === null)
    return { isMet: false, text: "too little history to tell its result from luck" };
  const after = tries === null || tries < 2 ? "" : ` after ${tries} variants tried`;
  const kept =
    keptOutReturn === null ? "no kept-out part" : `kept-out part ${percent(keptOutReturn)}`;
  return {
    isMet: luck * 100 >= bar.luckPercent && keptOutReturn !== null && keptOutReturn >= 0,
    text: `${percent(luck)} sure that the simulated year is more than luck${after}, bar ${bar.luckPercent}%; ${kept}`,
  };
}

function machine({ missedAlerts, waitedExits, hoursWithoutPrices }: ReadinessFigures): Judged {
  const found = [
    missedAlerts === 0 ? [] : [`${plural(missedAlerts, "alert", "alerts")} missed`],
    waitedExits === 0 ? [] : [`${plural(waitedExits, "exit", "exits")} waited`],
    hoursWithoutPrices === 0 ? [] : [`${oneDecimal(hoursWithoutPrices)} hours without prices`],
  ].flat();
  return {
    isMet: found.length === 0,
    text:
      found.length === 0
        ? "no alert missed, no exit waited, prices all the time"
        : found.join(", "),
  };
}

/** What the lines are called in texts. */
export const READINESS_WORDS: Readonly<Record<ReadinessLineName, string>> = {
  lived: "Lived",
  // Whoever lost money and fell little is above the bar
  earned: "Deepest fall",
  parted: "Parted from its simulation",
  overfit: "Overfit",
  machine: "Machine",
};

/** Returns the lines below the bar in one text; null where none is. */
export function belowBar(lines: readonly ReadinessLine[]): string | null {
  const below = lines.filter(({ isMet }) => !isMet);
  return below.length === 0
    ? null
    : below.map(({ line, text }) => `${READINESS_WORDS[line].toLowerCase()}: ${text}`).join("; ");
}

/** Largest position size of a new agent with real money, percent, and its largest loss of a day in basis points. */
export const FIRST_LIVE_SIZE_PERCENT = 10;
export const FIRST_LIVE_DAY_LOSS_BPS = 1_000;
