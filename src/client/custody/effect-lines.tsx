import type { Network } from "../../domain/network.ts";
import { CopyButton } from "../ui/copy-button.tsx";
import { LimitWorth, WorstPriceLine, solText, tokenText } from "./worth.tsx";
import type { Effect } from "../../venues/effect.ts";

interface EffectLinesProps {
  readonly effects: readonly Effect[];
  readonly network: Network;
  readonly quoteSymbol: string;
  readonly quoteDecimals: number;
  readonly wallet: string;
  /** Vault address; a transfer into it always names the destination. */
  readonly vault: string;
  /** What somebody who steals the trading key can do, said where rights are given to it. */
  readonly stolenKey: string;
}

type Terms = Pick<EffectLinesProps, "quoteSymbol" | "quoteDecimals" | "wallet" | "vault">;

/** Returns a transfer's destination in words; the check before allows vault to wallet and wallet to vault only. */
const goingFrom = (giver: string, { vault }: Terms): string =>
  giver === vault ? "to your wallet" : "into the vault";

const whose = (owner: string, { wallet, vault }: Terms): string =>
  owner === wallet ? "your" : owner === vault ? "the vault's" : "the trading key's";

/** Returns an effect's sentence and the address to compare. */
function words(
  effect: Effect,
  terms: Terms,
): { readonly text: string; readonly address: string; readonly label: string } {
  const { quoteSymbol: symbol, quoteDecimals: decimals } = terms;
  switch (effect.kind) {
    case "create-multisig":
      return {
        text: "Creates the custody wallet. You are its only member.",
        address: effect.multisig,
        label: "Multisig",
      };
    case "lamports":
      return {
        text: `Moves ${solText(effect.lamports)} ${goingFrom(effect.from, terms)}`,
        address: effect.to,
        label: "To",
      };
    case "tokens":
      return {
        text: `Moves ${tokenText(effect.amount, effect.decimals, effect.symbol)} ${goingFrom(effect.by, terms)}`,
        address: effect.to,
        label: "To",
      };
    case "create-token-account":
      return {
        text: `Opens ${whose(effect.owner, terms)} ${effect.symbol} account, unless it is open`,
        address: effect.account,
        label: "Account",
      };
    case "close-token-account":
      return {
        text: `Closes ${whose(effect.owner, terms)} empty ${effect.symbol} account; its rent returns`,
        address: effect.account,
        label: "Account",
      };
    case "spending-limit":
      return { text: effect.text, address: effect.tradingKey, label: "Trading key" };
    case "limit-removal":
    case "sale":
    case "venue-account":
    case "venue-name":
    case "venue-cancel":
    case "venue-close":
    case "venue-fill":
    case "venue-settle":
    case "venue-deletion":
      return { text: effect.text, address: effect.account, label: "Account" };
    case "trading-key":
      if (effect.tradingKey === null) {
        return {
          text: "Takes the trading key away: nobody but you can trade",
          address: effect.account,
          label: "Account",
        };
      }
      return {
        text: "Lets the trading key trade. It can never withdraw.",
        address: effect.tradingKey,
        label: "Trading key",
      };
    case "venue-deposit":
      return {
        text: `Deposits ${tokenText(effect.amount, decimals, symbol)} at the venue`,
        address: effect.account,
        label: "Account",
      };
    case "venue-withdrawal":
      return {
        text: `Withdraws ${tokenText(effect.amount, decimals, symbol)} from the venue`,
        address: effect.account,
        label: "Account",
      };
  }
}

/** A full address that can be compared and copied. */
export function FullAddress({
  label,
  address,
}: {
  readonly label: string;
  readonly address: string;
}) {
  return (
    <span className="flex items-center gap-1.5 text-xs text-muted">
      <span className="shrink-0">{label}</span>
      <code className="min-w-0 font-mono text-2xs break-all text-ink">{address}</code>
      <CopyButton text={address} label={`Copy ${label.toLowerCase()} address`} />
    </span>
  );
}

export function EffectLines(props: EffectLinesProps) {
  const { effects, network, quoteSymbol, quoteDecimals, vault, stolenKey } = props;
  const quote = { symbol: quoteSymbol, decimals: quoteDecimals };
  const [quoteLimit = null] = effects.flatMap((each) =>
    each.kind === "spending-limit" && each.symbol === quoteSymbol ? [each.amount] : [],
  );
  return (
    <ul aria-label="What the transaction does" className="flex flex-col gap-2">
      {effects.map((effect, index) => {
        const { text, address, label } = words(effect, props);
        return (
          <li
            key={`${effect.kind}-${index}`}
            className="rounded-md border border-line bg-raised px-3 py-2"
          >
            <p className="text-sm font-medium">{text}</p>
            {effect.kind === "trading-key" && effect.tradingKey !== null && (
              <p className="text-xs text-muted">{stolenKey}</p>
            )}
            {effect.kind === "spending-limit" && effect.symbol === quoteSymbol && (
              <p className="text-xs text-muted">{stolenKey}</p>
            )}
            {effect.kind === "spending-limit" && effect.symbol !== quoteSymbol && (
              <LimitWorth network={network} limit={effect} quote={quote} quoteLimit={quoteLimit} />
            )}
            {"worst" in effect && (
              <WorstPriceLine network={network} worst={effect.worst} quote={quote} />
            )}
            <FullAddress label={address === vault ? "To vault" : label} address={address} />
          </li>
        );
      })}
    </ul>
  );
}
