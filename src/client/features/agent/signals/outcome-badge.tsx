import type { ReceivedSignal } from "../../../../contract/signals.ts";
import { Badge } from "../../../ui/badge.tsx";

const TONES = {
  accepted: "up",
  duplicate: "neutral",
  ignored: "warn",
  refused: "down",
  denied: "warn",
} as const;

const WORDS = {
  accepted: "Accepted",
  duplicate: "Duplicate",
  ignored: "Ignored",
  refused: "Refused",
  denied: "Denied",
} as const;

export function OutcomeBadge({ outcome }: { readonly outcome: ReceivedSignal["outcome"] }) {
  return <Badge tone={TONES[outcome]}>{WORDS[outcome]}</Badge>;
}
