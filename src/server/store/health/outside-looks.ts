import type { Network } from "../../../domain/network.ts";
import type { VenueId } from "../../../domain/venue-id.ts";
import type { Db } from "../postgres/db.ts";
import { on } from "../postgres/on.ts";

/** What a look at something outside, or at what the server runs on, found. */
export interface Finding {
  readonly name: string;
  readonly state: "works" | "fails" | "not set";
  /** What was seen, or what is wrong and what mends it. */
  readonly text: string;
  /** Something is missing while it does not work. */
  readonly isNeeded: boolean;
  /** Whose agents cannot trade while it does not work: those of a network, or of one venue there; absent: nobody's. */
  readonly network?: Network;
  readonly venue?: VenueId;
  /** Host that was asked, as the list of what is outside names it. */
  readonly host?: string;
  /** What the next look is compared with. */
  readonly seen?: string;
  /** Since when its state is what it is, in Unix milliseconds. */
  readonly sinceMs: number;
}

/** Returns 0 for what is needed and does not work, 1 for what else does not, 2 for what works: the order in which they are told. */
export const rankOf = ({ state, isNeeded }: Finding): number =>
  state === "works" ? 2 : isNeeded ? 0 : 1;

/** The last look, by any server; null before the first. */
export interface OutsideLook {
  readonly at: Date | null;
  readonly findings: readonly Finding[];
}

/**
 * Returns whether a look is due, and takes it so that no other server does: a day after the last, ten minutes after one
 * that missed something, and at a server's start.
 */
export const takeLook = (db: Db, isStart: boolean): Promise<boolean> =>
  on(db).has`
    insert into outside_looks as last (begun_at) values (clock_timestamp())
    on conflict (is_only) do update set begun_at = excluded.begun_at
    where last.begun_at is null or last.begun_at < excluded.begun_at - case
      when ${isStart} then interval '1 minute'
      when last.findings @? '$[*] ? (@.isNeeded == true && @.state != "works")' then interval '10 minutes'
      else interval '1 day' end
    returning begun_at`;

export const saveLook = (db: Db, findings: readonly Finding[]): Promise<number> =>
  on(db).change`
    insert into outside_looks (at, findings) values (clock_timestamp(), ${JSON.stringify(findings)})
    on conflict (is_only) do update set at = excluded.at, findings = excluded.findings`;

export const readLook = async (db: Db): Promise<OutsideLook> =>
  (await on(db).row<OutsideLook>`select at, findings from outside_looks`) ?? {
    at: null,
    findings: [],
  };

/** What the database runs with. */
interface DatabaseFacts {
  /** As PostgreSQL numbers its versions, 180001 for 18.1. */
  readonly version: number;
  readonly at: Date;
  /** Settings without which a confirmed commit can be lost, that are off. */
  readonly off: readonly string[];
}

export const readDatabaseFacts = (db: Db): Promise<DatabaseFacts> =>
  on(db).only<DatabaseFacts>`
    select current_setting('server_version_num')::int as version, clock_timestamp() as at,
      array(select name from unnest(array['fsync', 'full_page_writes', 'synchronous_commit']) as name
        where current_setting(name) = 'off') as off`;
