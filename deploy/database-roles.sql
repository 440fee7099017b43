-- The two roles of a database of one's own, made once by its superuser with psql 15 or later:
--   OWNER_PASSWORD=… APP_PASSWORD=… psql --set=ON_ERROR_STOP=1 --file=deploy/database-roles.sql
-- The owner's role migrates and backs up (DATABASE_OWNER_URL). The server's (DATABASE_URL) owns nothing: it gets its
-- rights at each start and can only add to the audit log and the ledger.
\getenv owner_password OWNER_PASSWORD
\getenv app_password APP_PASSWORD
create role wheelhouse_owner login password :'owner_password';
create role wheelhouse login password :'app_password';
create database wheelhouse owner wheelhouse_owner;
