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
