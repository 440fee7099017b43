/** Settings of the embedded server: small enough for a laptop, durable, no network. */
export function serverSettings(socketFolder: string): Record<string, string> {
  return {
    listen_addresses: "",
    unix_socket_directories: socketFolder,
    unix_socket_permissions: "0700",
    shared_buffers: "64MB",
    max_connections: "50",
    jit: "off",
    wal_level: "minimal",
    max_wal_senders: "0",
    max_parallel_workers_per_gather: "0",
    max_parallel_maintenance_workers: "0",
    log_checkpoints: "off",
    timezone: "UTC",
    log_timezone: "UTC",
    io_method: "sync",
  };
}
