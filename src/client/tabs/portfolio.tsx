import { ActionButton } from "../actions/action-button.tsx";
import { exportFigures } from "../actions/export-figures.ts";
import { useLocation } from "wouter";
import { PortfolioView } from "../features/results/portfolio/portfolio-view.tsx";
import { searchOf } from "./tab-state.ts";

export default function PortfolioTab() {
  const [, navigate] = useLocation();
  return (
    <PortfolioView
      actions={<ActionButton size="small" action={exportFigures} />}
      onOpen={(chatId) => navigate(`/chat/${chatId}${searchOf("performance")}`)}
    />
  );
}
