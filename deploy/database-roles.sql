-- The four roles of a database of one's own, made once by its superuser with psql 15 or later:
--   OWNER_PASSWORD=… APP_PASSWORD=… TRADING_PASSWORD=… SIGNER_PASSWORD=… psql --set=ON_ERROR_STOP=1 --file=deploy/database-roles.sql
-- The owner's role migrates and backs up (DATABASE_OWNER_URL). The others own nothing and get their rights at each start:
-- one answers pages and webhooks (DATABASE_URL), one trades (DATABASE_TRADING_URL), one holds the trading keys
-- (DATABASE_SIGNER_URL).
\getenv owner_password OWNER_PASSWORD
\getenv app_password APP_PASSWORD
\getenv trading_password TRADING_PASSWORD
\getenv signer_password SIGNER_PASSWORD
create role wheelhouse_owner login password :'owner_password';
create role wheelhouse login password :'app_password';
create role wheelhouse_trading login password :'trading_password';
create role wheelhouse_signer login password :'signer_password';
create database wheelhouse owner wheelhouse_owner;
-- No role takes the places of the others, or fills the disk with what it sorts; with more than max_connections = 100 in
-- proportion, up to 25 for each server and role
alter role wheelhouse connection limit 45;
alter role wheelhouse_trading connection limit 40;
alter role wheelhouse_signer connection limit 10;
alter role wheelhouse set temp_file_limit = '1GB';
alter role wheelhouse_trading set temp_file_limit = '1GB';
-- The owner ends what web's role keeps others waiting for
grant pg_signal_backend to wheelhouse_owner;
