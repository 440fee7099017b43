import { NothingLoaded } from "../../ui/not-loaded.tsx";
import { type AgentChange, CHANGES_PAGE, listChanges } from "../../../contract/changes.ts";
import { useInfiniteQuery } from "@tanstack/react-query";
import type { AgentId } from "../../../domain/ids.ts";
import { ChangeLines, changeText } from "../../ui/change-lines.tsx";
import { readPages } from "../../queries/read.ts";
import { Button } from "../../ui/button.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import { ZoneNote } from "../../ui/time-text.tsx";
import { useOwner } from "../../lib/session.ts";

/** Change history of an agent, newest first. */
export function ChangeList({ agentId }: { readonly agentId: AgentId }) {
  const address = useOwner();
  const read = useInfiniteQuery(
    readPages(address, listChanges, { params: { agentId }, query: {} }, "before", (page) =>
      page.length < CHANGES_PAGE ? null : page.at(-1)?.id,
    ),
  );
  if (read.isPending) return <Spinner label="Loading history..." />;
  if (read.data === undefined) {
    return <NothingLoaded title="The history could not be loaded" onRetry={read.refetch} />;
  }
  return (
    <section aria-label="History" className="flex flex-col gap-2">
      <p className="flex flex-wrap justify-between gap-x-4 text-xs text-muted">
        <span>What was changed, when and by whom. Nothing here can be edited.</span>
        <ZoneNote className="text-faint" />
      </p>
      <ChangeLines
        lines={read.data.pages
          .flat()
          .map((change) => ({ ...change, text: changeText(change), by: BY[change.by] }))}
      />
      {read.hasNextPage && (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          {/* The list keeps what it shows, so the failure stands where the older ones would */}
          {read.isFetchNextPageError && !read.isFetchingNextPage && (
            <p role="alert" className="text-xs text-down">
              Older changes could not be loaded.
            </p>
          )}
          <Button
            size="small"
            busy={read.isFetchingNextPage}
            onClick={() => void read.fetchNextPage()}
          >
            {read.isFetchNextPageError ? "Try again" : "Show older"}
          </Button>
        </div>
      )}
    </section>
  );
}

/** Labels of who made a change. */
const BY: Readonly<Record<AgentChange["by"], string>> = {
  owner: "You",
  operator: "Operator",
  outside: "Outside Wheelhouse",
};
