import type { LucideIcon } from "lucide-react";
import {
  Banknote,
  ChartCandlestick,
  Code,
  FlaskRound,
  Gauge,
  Network,
  PieChart,
  ScrollText,
  Sparkles,
  Terminal,
} from "lucide-react";
import type { ComponentType } from "react";
import { lazyPart } from "../ui/lazy-part.tsx";
import { createPlaceholderTab } from "./placeholder-tab.tsx";
import type { TabProps } from "./tab-props.ts";

export interface WorkspaceTab {
  readonly id: string;
  readonly label: string;
  readonly icon: LucideIcon;
  /** Loads its code when it is first shown, or before where it can. */
  readonly view: ComponentType<TabProps> & { preload?(): void };
  /** Shown only when the wallet is connected and an agent is selected. */
  readonly needsAgent?: boolean;
  /** Stays mounted after it was first shown, because mounting is slow. */
  readonly staysMade?: boolean;
  /** True when the tab has no content yet. */
  readonly isPlaceholder?: boolean;
  /** Open by default: always, or for everybody but newcomers. */
  readonly isOpenAtFirst: "always" | "later" | "never";
  /** What the tab is for, where it is offered; absent for those that newcomers have open. */
  readonly note?: string;
}

/** Every tab of the workspace. A new tab is one file and one line here. */
export const TABS: readonly WorkspaceTab[] = [
  {
    id: "portfolio",
    label: "Portfolio",
    icon: PieChart,
    view: lazyPart(() => import("./portfolio.tsx")),
    isOpenAtFirst: "always",
  },
  {
    id: "charts",
    label: "Chart",
    icon: ChartCandlestick,
    view: lazyPart(() => {
      // Loaded in parallel with the tab's code; a failure is shown in the chart's place
      import("../features/chart/chart-view.ts").catch(() => {});
      return import("./charts.tsx");
    }),
    staysMade: true,
    isOpenAtFirst: "always",
  },
  {
    id: "trade-log",
    label: "Trade Log",
    icon: ScrollText,
    view: lazyPart(() => import("./trade-log.tsx")),
    isOpenAtFirst: "always",
  },
  {
    id: "manage-funds",
    label: "Manage Funds",
    icon: Banknote,
    view: lazyPart(() => import("./manage-funds.tsx")),
    needsAgent: true,
    note: "Deposit, withdraw, and who may move the money",
    isOpenAtFirst: "later",
  },
  {
    id: "backtesting",
    label: "Backtest",
    icon: FlaskRound,
    view: lazyPart(() => import("./backtesting.tsx")),
    note: "A written hypothesis for each trade",
    isOpenAtFirst: "later",
  },
  {
    id: "github",
    label: "Code",
    icon: Code,
    view: lazyPart(() => import("./code.tsx")),
    note: "The agent as a file, and as Pine Script",
    isOpenAtFirst: "later",
  },
  {
    id: "simulation",
    label: "Simulate",
    icon: Sparkles,
    view: lazyPart(() => import("./simulation.tsx")),
    staysMade: true,
    note: "What the rules would have done before",
    isOpenAtFirst: "later",
  },
  {
    id: "performance",
    label: "Performance",
    icon: Gauge,
    view: lazyPart(() => import("./performance.tsx")),
    note: "What the agent has earned, against holding",
    isOpenAtFirst: "later",
  },
  {
    id: "ssh",
    label: "SSH",
    icon: Terminal,
    view: createPlaceholderTab("Coming Soon"),
    isPlaceholder: true,
    note: "Coming Soon",
    isOpenAtFirst: "never",
  },
  {
    id: "causal-factor-graphs",
    label: "Causal Factor Graphs",
    icon: Network,
    view: lazyPart(() => import("./decision-trace.tsx")),
    note: "Why: from the alert to the order, step by step",
    isOpenAtFirst: "never",
  },
];

/** Tab shown when an unknown one is asked for. */
export const FALLBACK_TAB_ID = "charts";

export const DEFAULT_TAB_ID = "portfolio";

export function findTab(id: string): WorkspaceTab | undefined {
  return TABS.find((tab) => tab.id === id);
}
