import { FlaskConical, Globe, ScrollText, Wrench } from "lucide-react";
import type { Network } from "../../domain/network.ts";
import { Badge } from "./badge.tsx";

const LOOKS = {
  practice: {
    tone: "practice",
    label: "Practice",
    note: "Practice money only",
    Icon: FlaskConical,
  },
  paper: { tone: "practice", label: "Paper", note: "Real prices, play money", Icon: ScrollText },
  devnet: { tone: "accent", label: "Devnet", note: "Test money only", Icon: Wrench },
  mainnet: { tone: "up", label: "Mainnet", note: "Real money", Icon: Globe },
} as const;

/** Returns the network's name for users. */
export const networkLabel = (network: Network): string => LOOKS[network].label;

/** Badge of the network, so that practice money is never mistaken for real money. */
export function NetworkBadge({ network }: { readonly network: Network }) {
  const { tone, label, note, Icon } = LOOKS[network];
  return (
    <Badge tone={tone} title={note}>
      <Icon aria-hidden className="max-md:hidden" />
      {label}
    </Badge>
  );
}
