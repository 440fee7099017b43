/**
 * Counting an alert raises its lane's version in the statement that counts, which says so in a setting of its
 * transaction; the trigger stays for every other change of a condition.
 */
export const countedVersions = `
drop trigger condition_changed on rule_conditions;
create trigger condition_changed after update on rule_conditions referencing new table as changed
  for each statement when (current_setting('wheelhouse.counts', true) is distinct from 'versioned')
  execute function change_lanes_of_rules();
`;
