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
  /** Open by default. */
  readonly isOpenAtFirst: boolean;
}

/** Every tab of the workspace. A new tab is one file and one line here. */
export const TABS: readonly WorkspaceTab[] = [
  {
    id: "portfolio",
    label: "Portfolio",
    icon: PieChart,
    view: lazyPart(() => import("./portfolio.tsx")),
    isOpenAtFirst: true,
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
    isOpenAtFirst: true,
  },
  {
    id: "trade-log",
    label: "Trade Log",
    icon: ScrollText,
    view: lazyPart(() => import("./trade-log.tsx")),
    isOpenAtFirst: true,
  },
  {
    id: "manage-funds",
    label: "Manage Funds",
    icon: Banknote,
    view: lazyPart(() => import("./manage-funds.tsx")),
    needsAgent: true,
    isOpenAtFirst: true,
  },
  {
    id: "backtesting",
    label: "Backtest",
    icon: FlaskRound,
    view: lazyPart(() => import("./backtesting.tsx")),
    isOpenAtFirst: true,
  },
  {
    id: "github",
    label: "Code",
    icon: Code,
    view: lazyPart(() => import("./code.tsx")),
    isOpenAtFirst: true,
  },
  {
    id: "simulation",
    label: "Simulate",
    icon: Sparkles,
    view: lazyPart(() => import("./simulation.tsx")),
    staysMade: true,
    isOpenAtFirst: true,
  },
  {
    id: "performance",
    label: "Performance",
    icon: Gauge,
    view: lazyPart(() => import("./performance.tsx")),
    isOpenAtFirst: true,
  },
  {
    id: "ssh",
    label: "SSH",
    icon: Terminal,
    view: createPlaceholderTab("Coming Soon"),
    isPlaceholder: true,
    isOpenAtFirst: false,
  },
  {
    id: "causal-factor-graphs",
    label: "Causal Factor Graphs",
    icon: Network,
    view: lazyPart(() => import("./decision-trace.tsx")),
    isOpenAtFirst: false,
  },
];

/** Tab shown when an unknown one is asked for. */
export const FALLBACK_TAB_ID = "charts";

export const DEFAULT_TAB_ID = "portfolio";

export function findTab(id: string): WorkspaceTab | undefined {
  return TABS.find((tab) => tab.id === id);
}
