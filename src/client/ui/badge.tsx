import { cva, type VariantProps } from "class-variance-authority";
import { clsx } from "clsx";
import type { ComponentProps } from "react";
import { FlaskConical, Globe, ScrollText, Wrench } from "lucide-react";
import type { Network } from "../../domain/network.ts";

const styles = cva(
  "inline-flex h-5 shrink-0 items-center gap-1 rounded-sm border px-1.5 text-2xs font-medium whitespace-nowrap [&_svg]:size-3",
  {
    variants: {
      tone: {
        neutral: "border-line bg-raised text-muted",
        accent: "border-transparent bg-accent-soft text-accent-text",
        up: "border-transparent bg-up-soft text-up",
        down: "border-transparent bg-down-soft text-down",
        warn: "border-transparent bg-warn-soft text-warn",
        practice: "border-practice-line bg-practice-soft text-practice",
      },
    },
    defaultVariants: { tone: "neutral" },
  },
);

export function Badge({
  tone,
  className,
  ...rest
}: ComponentProps<"span"> & VariantProps<typeof styles>) {
  return <span {...rest} className={clsx(styles({ tone }), className)} />;
}

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
