import { ExternalLink } from "lucide-react";
import type { ReactNode } from "react";
import { formatDecimal } from "../../../domain/amount.ts";
import type { CustodyAccess } from "../../../contract/custody.ts";
import { Badge } from "../../ui/badge.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";

const SOL_DECIMALS = 9;

const sol = (lamports: string | null): string =>
  lamports === null ? "–" : `${formatDecimal(BigInt(lamports), SOL_DECIMALS)} SOL`;

const KEY_STATES = {
  ours: {
    tone: "up",
    label: "may trade",
    words: "Opens and closes positions. It can never withdraw.",
  },
  pending: {
    tone: "warn",
    label: "set-up not finished",
    words: "May do nothing yet: the last transaction of the set-up is not signed.",
  },
  none: { tone: "neutral", label: "revoked", words: "May do nothing. Nobody but you can trade." },
  foreign: {
    tone: "down",
    label: "another key",
    words:
      "Another key than this agent's may trade. Nothing is traded from here until that is put right.",
  },
  unknown: { tone: "warn", label: "not readable now", words: "The venue could not be read." },
} as const;

interface RowProps {
  readonly title: string;
  readonly address: string;
  readonly badge?: ReactNode;
  readonly children: ReactNode;
  readonly explorer: ((address: string) => string) | null;
}

function Row({ title, address, badge, children, explorer }: RowProps) {
  return (
    <li className="flex flex-col gap-1 rounded-md border border-line bg-raised px-3 py-2">
      <p className="flex items-center gap-2 text-sm font-medium">
        {title}
        {badge}
      </p>
      <p className="text-xs text-muted">{children}</p>
      <span className="flex items-center gap-1.5 text-xs text-muted">
        <code className="min-w-0 font-mono text-2xs break-all text-ink">{address}</code>
        <CopyButton text={address} label={`Copy ${title.toLowerCase()} address`} />
        {explorer !== null && (
          <a
            href={explorer(address)}
            target="_blank"
            rel="noopener noreferrer"
            className="inline-flex min-h-6 items-center gap-1 text-accent-text hover:underline"
          >
            Explorer
            <ExternalLink aria-hidden className="size-3" />
          </a>
        )}
      </span>
    </li>
  );
}

interface PowerListProps {
  readonly access: CustodyAccess;
  /** True for a swap venue, where traded assets are in the vault. */
  readonly isSpot: boolean;
  /** What somebody who steals the trading key can do at the venue. */
  readonly stolenKey: string;
  readonly explorer: RowProps["explorer"];
}

/** List of an agent's keys and accounts with their rights, balances and full addresses. */
export function PowerList({ access, isSpot, stolenKey, explorer }: PowerListProps) {
  const key = KEY_STATES[access.tradingKeyState];
  const held = access.vaultQuote === null ? "" : ` and ${access.vaultQuote} ${access.quoteSymbol}`;
  const atVenue =
    access.venueQuote === null ? "not readable now" : `${access.venueQuote} ${access.quoteSymbol}`;
  return (
    <>
      <ul className="flex flex-col gap-2">
        <Row title="Your wallet" address={access.owner} explorer={explorer}>
          Everything: withdraw, close positions, revoke the trading key, recover the SOL. Every
          withdrawal needs your signature.
        </Row>
        <Row
          title="Trading key"
          address={access.tradingKeyOnChain ?? access.tradingKey}
          badge={<Badge tone={key.tone}>{key.label}</Badge>}
          explorer={explorer}
        >
          {key.words}
          {access.tradingKeyState === "ours" && ` ${stolenKey}`}
          {access.tradingKeyState === "ours" &&
            access.limits !== null &&
            access.limits.length > 0 &&
            " It swaps within the limits below; what it swaps returns to the vault in the same transaction."}
        </Row>
        <Row title="Vault" address={access.vault} explorer={explorer}>
          Holds {sol(access.vaultLamports)}
          {held}. {isSpot ? "With the asset, worth in all" : "At the venue"}: {atVenue}. Only your
          wallet can empty it.
        </Row>
        <Row title="Multisig" address={access.multisig} explorer={explorer}>
          The rules of the vault. You are its only member. Never send money to this address.
        </Row>
      </ul>
      <p className="text-xs text-muted">
        {access.unrecoverable.length > 0 &&
          `Never recoverable: ${access.unrecoverable
            .map(({ what, lamports }) => `${sol(lamports)} (${what.toLowerCase()})`)
            .join(", ")}. `}
        0.001 SOL stays in the vault when an agent is deleted.
      </p>
    </>
  );
}
