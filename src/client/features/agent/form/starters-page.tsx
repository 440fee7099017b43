import { useQueries, useQuery, useQueryClient } from "@tanstack/react-query";
import { useReducer, useState } from "react";
import { useStore } from "zustand";
import type { Agent } from "../../../../contract/agent.ts";
import type { ChatId } from "../../../../domain/ids.ts";
import type { Network } from "../../../../domain/network.ts";
import { parseVenueId } from "../../../../domain/venue-id.ts";
import type { AgentFill } from "../../../lib/dialogs.ts";
import { favourites } from "../../../lib/favourites.ts";
import { useOwner } from "../../../lib/session.ts";
import { deploymentQuery } from "../../../queries/deployment.ts";
import { Field } from "../../../ui/field.tsx";
import { Select } from "../../../ui/select.tsx";
import { type AgentForm, intervalText, newAgentForm, reduceAgentForm } from "../agent-form.ts";
import { IntervalField, NetworkField } from "./set-up-tab.tsx";
import { readAgain } from "./use-opened-agent.ts";
import { assetGroups, venueGroups } from "./venue-options.ts";
import { starterDrafts } from "./use-template.ts";
import Gallery, { type GalleryDraft } from "./gallery.tsx";

interface StartersPageProps {
  /** Network at first. */
  readonly network: Network;
  readonly agents: readonly Agent[];
  /** Form that is being edited and not saved; null without one. */
  readonly kept: AgentForm | null;
  /** Begins an agent with what was chosen. */
  readonly onUse: (fill: AgentFill) => void;
  /** Goes on with the unsaved form. */
  readonly onContinue: () => void;
}

/** Ids of drafts that are no starters. */
const KEPT = "kept";

/** Page of the starters on a chosen market and interval, with the owner's own agents beside them for comparison. */
export function StartersPage({ network, agents, kept, onUse, onContinue }: StartersPageProps) {
  const deployment = useQuery(deploymentQuery).data;
  const [form, change] = useReducer(reduceAgentForm, network, newAgentForm);
  const [added, setAdded] = useState<readonly ChatId[]>([]);
  const own = useOwnForms(added);
  const starters = starterDrafts(form);
  /** Puts another strategy on this page's market, so that all are tried on the same bars. */
  const { name, network: on, venue, marketId, interval, customCount, customUnit } = form;
  const place = { name, network: on, venue, marketId, interval, customCount, customUnit };
  const here = (other: AgentForm): AgentForm => ({ ...other, ...place });
  const drafts: readonly GalleryDraft[] = [
    ...starters,
    ...(kept === null
      ? []
      : [{ id: KEPT, name: `Draft: ${kept.name}`, idea: "Not saved yet.", form: here(kept) }]),
    ...own.map(({ chatId, form: saved }) => ({
      id: chatId,
      name: saved.name,
      idea: "Yours, as it is saved.",
      form: here(saved),
    })),
  ];
  const use = ({ id }: GalleryDraft) => {
    if (id === KEPT) return onContinue();
    const chatId = added.find((each) => each === id);
    if (chatId !== undefined) return onUse({ kind: "copy", chatId });
    if (venue !== "") {
      onUse({ kind: "starter", id, network: on, venue, marketId, interval: intervalText(form) });
    }
  };
  return (
    <div className="flex flex-col gap-4">
      <div className="grid grid-cols-2 gap-3 md:grid-cols-4">
        <NetworkField form={form} change={change} deployment={deployment} />
        <Field label="Venue">
          <Select
            value={form.venue}
            groups={venueGroups(deployment, form.network)}
            placeholder="Select a venue"
            onValueChange={(name) => {
              const venue = parseVenueId(name);
              if (venue !== null) change({ kind: "venue", venue });
            }}
          />
        </Field>
        <Field label="Asset">
          <Select
            value={form.marketId}
            groups={assetGroups(form, useStore(favourites))}
            placeholder="Select an asset"
            onValueChange={(marketId) => change({ kind: "market", marketId })}
          />
        </Field>
        <IntervalField form={form} error={null} change={change} />
      </div>
      <Gallery drafts={drafts} onUse={use}>
        <AddOwn
          agents={agents.filter(({ chatId }) => !added.includes(chatId))}
          onAdd={(chatId) => setAdded([...added, chatId])}
        />
      </Gallery>
    </div>
  );
}

interface AddOwnProps {
  readonly agents: readonly Agent[];
  readonly onAdd: (chatId: ChatId) => void;
}

function AddOwn({ agents, onAdd }: AddOwnProps) {
  if (agents.length === 0) return null;
  const options = agents.map(({ chatId, name }) => ({ value: chatId, label: name }));
  return (
    <div className="w-44">
      <Select
        aria-label="Add one of your agents"
        value=""
        placeholder="Add one of yours"
        options={options}
        onValueChange={(value) => {
          const agent = agents.find(({ chatId }) => chatId === value);
          if (agent) onAdd(agent.chatId);
        }}
      />
    </div>
  );
}

/** Returns the saved forms of agents as soon as they are read; one that was deleted is left out. */
function useOwnForms(chatIds: readonly ChatId[]) {
  const client = useQueryClient();
  const owner = useOwner();
  const reads = useQueries({
    queries: chatIds.map((chatId) => ({
      queryKey: [owner, "saved-form", chatId],
      queryFn: () => readAgain(client, owner, chatId),
    })),
  });
  return chatIds.flatMap((chatId, at) => {
    const form = reads[at]?.data?.form;
    return form ? [{ chatId, form }] : [];
  });
}
