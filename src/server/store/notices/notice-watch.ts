import type { Db } from "../postgres/db.ts";
import { on } from "../postgres/on.ts";

/** Times from which an unknown outcome or an agent's silence is reported. */
export interface WatchTimes {
  /** Orders sent before it whose outcome is not known yet. */
  readonly unknownBefore: Date;
  /** Stops that should rest at the exchange since before it, do not, and are not being placed. */
  readonly missingBefore: Date;
  /** Agents that trade and have heard nothing since. */
  readonly silentSince: Date;
}

/** Writes down orders whose outcome stays unknown, stops that do not rest and sources that fell silent, each once. */
export async function insertLastingNotices(db: Db, times: WatchTimes): Promise<void> {
  await on(db).change`
    insert into notice_events (owner, kind, agent_id, key, facts)
    select agents.owner, 'order_unknown', agents.id, 'unknown:' || orders.id,
      jsonb_build_object('agent', agents.name, 'network', agents.network, 'market', agents.market_id,
        'signal', orders.signal)
    from orders join agents on agents.id = orders.agent_id
    where orders.state in ('submitted', 'unknown') and orders.submitted_at < ${times.unknownBefore}
      and exists (select from notice_channels where notice_channels.owner = agents.owner)
    on conflict do nothing`;
  await on(db).change`
    insert into notice_events (owner, kind, agent_id, key, facts)
    select agents.owner, 'stop_missing', agents.id, 'no-stop:' || agents.id || ':' || (protection ->> 'missingSinceMs'),
      jsonb_build_object('agent', agents.name, 'network', agents.network, 'market', agents.market_id)
    from plan_positions join agents on agents.id = plan_positions.agent_id
    where (protection ->> 'missingSinceMs')::numeric < ${times.missingBefore.getTime()}
      and protection ->> 'sent' is null and not is_closed
      and exists (select from notice_channels where notice_channels.owner = agents.owner)
    on conflict do nothing`;
  await on(db).change`
    insert into notice_events (owner, kind, agent_id, key, facts)
    select agents.owner, 'source_silent', agents.id, 'silent:' || agents.id || ':' || heard.seq,
      jsonb_build_object('agent', agents.name, 'network', agents.network, 'since', heard.received_at)
    from agents join lateral (
      select seq, received_at from alert_events where agent_id = agents.id::uuid order by seq desc limit 1
    ) heard on heard.received_at < ${times.silentSince}
    where agents.auto_trade = 'on'
      and exists (select from notice_channels where notice_channels.owner = agents.owner)
    on conflict do nothing`;
}

/** Writes down, once a day, that what pays for a network's orders is low, for every owner who trades there. */
export async function insertLowSolNotices(db: Db, network: string, day: string): Promise<void> {
  await on(db).change`
    insert into notice_events (owner, kind, agent_id, key, facts)
    select distinct owner, 'low_sol', null::text, 'low-sol:' || ${network}::text || ':' || ${day}::text,
      jsonb_build_object('network', ${network}::text)
    from agents
    where network = ${network} and auto_trade = 'on'
      and exists (select from notice_channels where notice_channels.owner = agents.owner)
    on conflict do nothing`;
}
