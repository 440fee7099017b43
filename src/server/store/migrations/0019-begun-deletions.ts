/** An agent whose deletion was left half done is being deleted, until it is set up again. */
export const begunDeletions = `
alter table multisigs drop constraint multisigs_status_check,
  add constraint multisigs_status_check check (status in ('planned', 'active', 'deleting', 'closed'));

update multisigs set status = 'deleting'
where status = 'active' and (
  select intent from custody_transactions
  where custody_transactions.agent_id = multisigs.agent_id and state = 'confirmed'
    and intent in ('set-up', 'delete')
  order by seq desc limit 1) = 'delete';
`;
