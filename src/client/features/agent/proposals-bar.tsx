import { listProposals } from "../../../contract/proposals.ts";
import { openDialog } from "../../lib/dialogs.ts";
import { useRead } from "../../queries/read.ts";
import { Button } from "../../ui/button.tsx";

/** Line that tells of open proposals; nothing while there is none. */
export default function ProposalsBar() {
  const { data = [] } = useRead(listProposals, {});
  const [newest] = data;
  if (newest === undefined) return null;
  return (
    <div
      role="status"
      className="flex shrink-0 items-center gap-3 border-b bg-raised px-4 py-2 text-sm"
    >
      <span className="min-w-0 grow wrap-anywhere">
        {data.length === 1
          ? `${newest.assistant} proposes a change. Nothing is done before you approve it.`
          : `${data.length} proposals wait for you. Nothing is done before you approve them.`}
      </span>
      <Button size="small" onClick={() => openDialog({ kind: "proposals" })}>
        Review
      </Button>
    </div>
  );
}
