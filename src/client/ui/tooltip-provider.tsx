import { Tooltip as Base } from "@base-ui/react/tooltip";
import type { ReactNode } from "react";

export function TooltipProvider({ children }: { readonly children: ReactNode }) {
  return <Base.Provider delay={700}>{children}</Base.Provider>;
}
