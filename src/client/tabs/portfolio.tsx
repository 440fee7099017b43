import { useLocation } from "wouter";
import { PortfolioView } from "../features/portfolio/portfolio-view.tsx";
import { searchOf } from "./tab-state.ts";
import type { TabProps } from "./tab-props.ts";

export default function PortfolioTab({ address }: TabProps) {
  const [, navigate] = useLocation();
  return (
    <PortfolioView
      address={address}
      onOpen={(chatId) => navigate(`/chat/${chatId}${searchOf("performance")}`)}
    />
  );
}
