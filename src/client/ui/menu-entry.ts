import type { ReactNode } from "react";

export interface MenuEntry {
  readonly id: string;
  readonly label: string;
  readonly icon?: ReactNode;
  readonly disabled?: boolean;
  readonly tone?: "danger";
  readonly onSelect: () => void;
}
