import { MarketsPage } from "../features/agent/markets-page.tsx";
import { openAgentDialog } from "../lib/dialogs.ts";
import { useOwner } from "../lib/session.ts";
import { toastNote } from "../lib/toast.ts";
import type { TabProps } from "./tab-props.ts";

export default function MarketsTab({ network }: TabProps) {
  const address = useOwner();
  return (
    <MarketsPage
      network={network}
      onBegin={({ venue, marketId }) =>
        address === ""
          ? toastNote({ title: "Sign in first", message: "Then an agent can trade this market." })
          : openAgentDialog({ chatId: "" }, { kind: "market", network, venue, marketId })
      }
    />
  );
}
