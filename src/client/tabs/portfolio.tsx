import { Download } from "lucide-react";
import { useLocation } from "wouter";
import { PortfolioView } from "../features/results/portfolio/portfolio-view.tsx";
import { Button } from "../ui/button.tsx";
import { searchOf } from "./tab-state.ts";
import type { TabProps } from "./tab-props.ts";

export default function PortfolioTab({ onExport }: TabProps) {
  const [, navigate] = useLocation();
  return (
    <PortfolioView
      actions={
        <Button size="small" onClick={onExport}>
          <Download aria-hidden />
          Export
        </Button>
      }
      onOpen={(chatId) => navigate(`/chat/${chatId}${searchOf("performance")}`)}
    />
  );
}
