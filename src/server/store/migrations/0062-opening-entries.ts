/**
 * Has the ledgers of practice agents begin with an opening balance where the exchange logged no deposits, as it did until
 * its events were those of the real program: such an event begins with the base64 of its discriminator. Such a ledger
 * never equalled the chain; one that did once has all of its deposits.
 *
 * The same exchange did not count withdrawals in the net deposits of an account of 4,376 bytes, which begins with its
 * discriminator. They are corrected by the account's totals of deposits and withdrawals, which were counted all along:
 * practice has only one token to deposit. All three are little-endian.
 */
export const openingEntries = `
alter table multisigs add column opening_due boolean not null default false;

update multisigs set opening_due = true from agents
where agents.id = multisigs.agent_id and agents.network = 'practice'
  and not exists (
    select from ledger_marks as mark
    where mark.agent_id = multisigs.agent_id and mark.balanced_slot is not null
  )
  and exists (
    select from practice_touched as touched join practice_transactions as landed using (signature)
    where touched.address = multisigs.vault and landed.error is null
      and landed.logs ? 'Program log: Instruction: Deposit'
      and landed.logs::text not like '%Program data: tPHaz2aHL%'
  );

-- Read again from the first transaction, at once
delete from ledger_marks using multisigs
where multisigs.agent_id = ledger_marks.agent_id and multisigs.opening_due;

create function pg_temp.read_amount(data bytea, at integer) returns bigint language sql as $$
  select ('x' || string_agg(lpad(to_hex(get_byte(data, at + i)), 2, '0'), '' order by i desc))::bit(64)::bigint
  from generate_series(0, 7) as i
$$;

create function pg_temp.write_amount(amount bigint) returns bytea language sql as $$
  select string_agg(substring(int8send(amount) from 8 - i for 1), ''::bytea order by i)
  from generate_series(0, 7) as i
$$;

update practice_accounts
set data = overlay(data placing pg_temp.write_amount(counted.net) from 129 for 8)
from (
  select address as user_address, pg_temp.read_amount(data, 4272) - pg_temp.read_amount(data, 4280) as net
  from practice_accounts
  where lamports > 0 and octet_length(data) = 4376 and substring(data from 1 for 8) = '\\x9f755fe3ef973aec'
) as counted
where address = counted.user_address and pg_temp.read_amount(data, 128) <> counted.net;
`;
