import type { Performance } from "../../queries/performance.ts";
import { Figure } from "../../ui/figure.tsx";
import { Measure } from "./measure.tsx";

/** List of a span's cash flows. */
export function MoneyList({ shown }: { readonly shown: Performance }) {
  const { money, quote } = shown;
  const unit = ` ${quote.symbol}`;
  const amount = (value: string | null) => <Figure value={value} unit={unit} signed toned />;
  return (
    <dl className="flex flex-col">
      <Measure
        label="Realised"
        how="The sum of what every closing in the book earned, at average cost, before fees and funding."
      >
        {amount(money.realised)}
        {money.unknownClosings > 0 && (
          <span className="block text-2xs font-normal text-warn">
            without {money.unknownClosings} whose cost is not known
          </span>
        )}
      </Measure>
      <Measure
        label="Unrealised now"
        how="What open positions would bring if they were closed at the venue's price now. The only figure here that is not from the book."
      >
        {amount(money.unrealised)}
      </Measure>
      <Measure
        label="Fees"
        how="Fees of the venue for trades, as the chain booked them. Below zero they were paid."
      >
        {amount(money.fees)}
      </Measure>
      <Measure
        label="Funding"
        how="Funding between longs and shorts that the venue paid to this agent, or took, as the chain booked it."
      >
        {amount(money.funding)}
      </Measure>
      <Measure label="Interest" how="What the venue paid or took for the balance lying there.">
        {amount(money.interest)}
      </Measure>
      <Measure
        label="Slippage"
        how="Each fill against the market's price as its order was decided, right after the alert came, times its size. Below zero fills were worse. It is inside Realised, not beside it."
      >
        {amount(money.slippage)}
      </Measure>
      <Measure
        label="Network cost"
        how="Transaction fees in SOL that the chain took. Who paid them is in the ledger."
      >
        <Figure value={money.networkCost} decimals={6} unit=" SOL" signed />
      </Measure>
      <Measure
        label="Rent"
        how="SOL that this agent's accounts lock on the chain, less what came back. It is no cost as long as the accounts can be closed: deleting the agent says what returns."
      >
        <Figure value={money.rent} decimals={6} unit=" SOL" signed />
      </Measure>
      <Measure label="Deposited" how="What came in from your wallet. It is no gain.">
        <Figure value={money.deposited} unit={unit} />
      </Measure>
      <Measure label="Withdrawn" how="What went back to your wallet. It is no loss.">
        <Figure value={money.withdrawn} unit={unit} />
      </Measure>
    </dl>
  );
}
